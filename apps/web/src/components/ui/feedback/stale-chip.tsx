import { useTranslation } from 'react-i18next';
import { isServerUnreachable } from '../../../lib/api.ts';
import { formatClock } from '../../../lib/format.ts';
import { StatusLabel } from './status-label.tsx';

/** Query fields that tell how fresh the data is. */
export interface Freshness {
  readonly dataUpdatedAt: number;
  readonly failureCount: number;
  /** Refusals are reported above the page instead. */
  readonly failureReason?: unknown;
}

/** Shown while a query keeps failing: the data is valid but old. Disappears on recovery. */
export function StaleChip({ dataUpdatedAt, failureCount, failureReason }: Freshness) {
  const { t } = useTranslation();
  if (failureCount === 0) return null;
  const isRefused = failureReason instanceof Error && !isServerUnreachable(failureReason);
  const without = isRefused ? t('shell.notLoaded') : t('shell.silent');
  const word = dataUpdatedAt === 0 ? without : t('shell.stale', { time: formatClock(new Date(dataUpdatedAt)) });
  return <StatusLabel tone="warn" word={word} tinted />;
}
