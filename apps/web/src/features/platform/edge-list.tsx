import { Text } from '@mantine/core';
import type { Edge } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { Ago } from '../../components/ui/facts/moment.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';

/** How each edge was when it was last asked, and what to do where it is not well. */
export function EdgeList({ edges }: { edges: readonly Edge[] }) {
  const { t } = useTranslation();
  if (edges.length === 0) return null;
  const columns: Column<Edge>[] = [
    { title: t('platform.edges.url'), render: ({ url }) => url, isName: true },
    { title: t('platform.edges.state'), render: (edge) => <State edge={edge} /> },
    {
      title: t('platform.edges.latency'),
      render: ({ state, latencyMs }) => (state === 'ok' ? t('platform.edges.ms', { ms: latencyMs }) : '–'),
    },
    {
      title: t('platform.edges.checked'),
      render: ({ checkedAt }) => (checkedAt === '' ? '–' : <Ago at={checkedAt} />),
    },
  ];
  return (
    <DataTable
      label={t('platform.edges.title')}
      columns={columns}
      rows={edges}
      keyOf={({ url }) => url}
      actionsTitle=""
    />
  );
}

function State({ edge: { state, failure } }: { edge: Edge }) {
  const { t } = useTranslation();
  if (state === 'unchecked') return <StatusLabel tone="busy" word={t('platform.edges.checking')} />;
  if (state === 'ok' || failure === '') return <StatusLabel tone="ok" word={t('platform.edges.ok')} />;
  return (
    <div>
      <StatusLabel tone="bad" word={t('platform.edges.failing')} />
      <Text size="sm" c="dimmed" maw={420}>
        {t(`platform.edges.failure.${failure}`)}
      </Text>
    </div>
  );
}
