import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { attemptError } from './attempt-error.ts';

/** Words for a refused password, or nothing when the failure is of another kind. */
export function useAttemptText(error: unknown): string | undefined {
  const { t } = useTranslation();
  const locale = useLocale();
  const refused = attemptError(error);
  if (!refused) return undefined;
  if (refused.kind === 'wrong') return t('login.wrong');
  return refused.seconds === undefined
    ? t('login.tooManyLater')
    : t('login.tooMany', { duration: formatDuration(refused.seconds, locale) });
}
