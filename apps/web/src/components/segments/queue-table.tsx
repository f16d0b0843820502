import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../ui/facts/data-table.tsx';
import type { Freshness } from '../ui/feedback/stale-chip.tsx';
import { Legend } from './legend.tsx';
import { QueueBody } from './queue-body.tsx';

interface QueueTableProps<Row> {
  query: Freshness & { readonly data: { readonly segments: readonly Row[] } | undefined };
  label: string;
  empty: string;
  columns: readonly Column<Row>[];
  /** Explains abbreviated column titles. */
  legend?: string;
}

/** Oldest first. */
export function QueueTable<Row extends { tsid: string }>(props: QueueTableProps<Row>) {
  const { t } = useTranslation();
  const { query, label, empty, columns, legend } = props;
  const rows = query.data?.segments ?? [];
  return (
    <QueueBody query={query} isEmpty={rows.length === 0} empty={empty}>
      <Stack gap="sm">
        <DataTable {...{ label, columns, rows }} keyOf={({ tsid }) => tsid} actionsTitle={t('segments.action')} />
        {legend && <Legend text={legend} />}
      </Stack>
    </QueueBody>
  );
}
