import { Text } from '@mantine/core';
import type { OutletRow, ProcessState } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../ui/feedback/status-label.tsx';

/** How it goes with all of them, worst first: what a closed table still tells. */
export function OutletCounts({ rows }: { rows: readonly OutletRow[] }) {
  const { t } = useTranslation();
  const count = (...states: ProcessState[]) => rows.filter(({ process }) => states.includes(process.state)).length;
  const failing = count('failing', 'reconnecting');
  const live = count('live');
  if (failing > 0) return <StatusLabel tone="bad" word={t('plat.com.countFailing', { count: failing })} tinted />;
  if (live > 0) return <StatusLabel tone="ok" word={t('plat.com.countLive', { count: live })} tinted />;
  return (
    <Text size="sm" c="dimmed">
      {rows.length === 0 ? t('plat.com.countNone') : t('plat.com.count', { count: rows.length })}
    </Text>
  );
}
