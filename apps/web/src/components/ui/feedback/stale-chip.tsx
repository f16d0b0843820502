import { useTranslation } from 'react-i18next';
import { isServerUnreachable } from '../../../lib/api.ts';
import { formatClock } from '../../../lib/format.ts';
import { StatusLabel } from './status-label.tsx';

/** The part of a query that tells how fresh it is. */
export interface Freshness {
  readonly dataUpdatedAt: number;
  readonly failureCount: number;
  /** The last failure: a refusal is an answer, and is told above the page. */
  readonly failureReason?: unknown;
}

/** Shows while a query keeps failing: what is on the page is true, but old. It goes away by itself. */
export function StaleChip({ dataUpdatedAt, failureCount, failureReason }: Freshness) {
  const { t } = useTranslation();
  if (failureCount === 0) return null;
  const isRefused = failureReason instanceof Error && !isServerUnreachable(failureReason);
  const without = isRefused ? t('shell.notLoaded') : t('shell.silent');
  const word = dataUpdatedAt === 0 ? without : t('shell.stale', { time: formatClock(new Date(dataUpdatedAt)) });
  return <StatusLabel tone="warn" word={word} tinted />;
}
