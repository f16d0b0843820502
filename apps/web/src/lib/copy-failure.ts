import type { TFunction } from 'i18next';
import { CopyError } from './copy.ts';

/** That it failed, why, and how to copy all the same. */
export function describeCopyFailure(t: TFunction, error: unknown): string {
  const reason = error instanceof CopyError ? error.reason : 'refused';
  const detail = error instanceof CopyError ? error.detail : String(error);
  const why = t(`helper.copyReason.${reason}`);
  return `${t('helper.copyFail')} ${why}${detail === '' ? '' : ` (${detail})`} ${t('helper.copyInstead')}`;
}
