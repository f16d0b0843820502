import type { ProcessExit } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../lib/format.ts';

/** Reason of the last exit, the same for every kind of process. */
export function LastExit({ exit }: { exit: ProcessExit | null }) {
  const { t } = useTranslation();
  if (!exit) return t('process.exit.never');
  const time = formatDateTime(new Date(exit.at));
  if (exit.wanted) return t('process.exit.wanted', { time });
  if (exit.reason !== '') return t('process.exit.reason', { time, reason: exit.reason });
  if (exit.signal !== null) return t('process.exit.signal', { time, signal: exit.signal });
  return t('process.exit.code', { time, code: exit.code });
}
