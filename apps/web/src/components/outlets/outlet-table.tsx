import { type OutletFeature, type OutletRow, outletProcessKey } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LogButton } from '../processes/log-button.tsx';
import { ProcessNumbersText } from '../processes/process-numbers.tsx';
import { ProcessSummary } from '../processes/process-summary.tsx';
import { type Column, DataTable } from '../ui/facts/data-table.tsx';
import { Moment } from '../ui/facts/moment.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { useOutletTitle } from './destination/platforms.ts';

export interface OutletTableTexts {
  readonly statusHelp: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
}

interface OutletTableProps<Row extends OutletRow> {
  feature: OutletFeature;
  rows: readonly Row[];
  /** Current or planned source. */
  sourceOf: (row: Row) => ReactNode;
  texts: OutletTableTexts;
}

/** State of every saved slot. */
export function OutletTable<Row extends OutletRow>({ feature, rows, sourceOf, texts }: OutletTableProps<Row>) {
  const { t } = useTranslation();
  const titleOf = useOutletTitle();
  if (rows.length === 0) return <EmptyState title={texts.emptyTitle} text={texts.emptyText} />;
  const columns: Column<Row>[] = [
    { title: '#', render: (_row, index) => index + 1, isHiddenOnCards: true },
    { title: t('plat.com.platform'), render: titleOf, isName: true },
    { title: t('plat.com.state'), render: ({ process }) => <ProcessSummary report={process} /> },
    // Wrapped in one element, because cards place it beside its title.
    { title: t('plat.com.source'), render: (row) => wrapped(sourceOf(row)) },
    {
      title: t('plat.com.numbers'),
      render: ({ process: { numbers } }) => numbers && <ProcessNumbersText numbers={numbers} />,
    },
    { title: t('plat.com.startedAt'), render: ({ start }) => start && <Moment at={start} /> },
    { title: t('plat.com.update'), render: ({ frame }) => frame && <Moment at={frame.update} /> },
  ];
  return (
    <DataTable
      label={t('plat.com.status')}
      columns={columns}
      rows={rows}
      keyOf={({ platform }) => platform}
      actionsTitle={t('plat.com.log')}
      actions={(row) =>
        row.process.starts > 0 && (
          <LogButton processKey={outletProcessKey(feature, row.platform)} title={titleOf(row)} />
        )
      }
    />
  );
}

function wrapped(source: ReactNode): ReactNode {
  return source && <div>{source}</div>;
}
