import { useTranslation } from 'react-i18next';
import { formatClock } from '../../lib/format.ts';
import { StatusLabel } from './status-label.tsx';

/** The part of a query that tells how fresh it is. */
export interface Freshness {
  readonly dataUpdatedAt: number;
  readonly failureCount: number;
}

/** Shows while a query keeps failing: what is on the page is true, but old. It goes away by itself. */
export function StaleChip({ dataUpdatedAt, failureCount }: Freshness) {
  const { t } = useTranslation();
  if (failureCount === 0) return null;
  const word =
    dataUpdatedAt === 0 ? t('shell.silent') : t('shell.stale', { time: formatClock(new Date(dataUpdatedAt)) });
  return <StatusLabel tone="warn" word={word} tinted />;
}
