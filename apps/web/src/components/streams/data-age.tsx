import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { useNow } from '../processes/use-now.ts';
import { StatusLabel } from '../ui/feedback/status-label.tsx';

/** Numbers change once a second; older ones say so. */
const freshMs = 2000;

/** Age of numbers in whole seconds; undefined while they are fresh or there are none. */
export function ageOf(updatedAtMs: number, nowMs: number): number | undefined {
  const ageMs = nowMs - updatedAtMs;
  return updatedAtMs === 0 || ageMs <= freshMs ? undefined : Math.floor(ageMs / 1000);
}

interface DataAgeProps {
  /** Arrival in this browser, such as `dataUpdatedAt` of a query. */
  updatedAtMs: number;
  /** Shown while the numbers are fresh. */
  fresh?: string;
}

export function DataAge({ updatedAtMs, fresh }: DataAgeProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const now = useNow(true);
  const seconds = ageOf(updatedAtMs, now);
  if (seconds === undefined) return fresh === undefined ? null : <span>{fresh}</span>;
  return <StatusLabel tone="warn" word={t('live.facts.old', { duration: formatDuration(seconds, locale) })} />;
}
