import { useQuery } from '@tanstack/react-query';
import type { CloudRecording } from '@weir/contract';
import { streamLabel } from '@weir/dialect';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/ui/data/data-table.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { CloudAccordion } from './cloud-accordion.tsx';
import { CloudActions, CloudLink, useCloudColumns } from './cloud-columns.tsx';
import { firstItem, recordingUrl } from './cloud-kind.ts';
import { dvrFilesQuery, dvrQuery, vodQuery } from './cloud-queries.ts';

/** Cloud recording: the account, the switch, and what is in the cloud. */
export function DvrPanel({ introduction }: { introduction: ReactNode }) {
  const { t } = useTranslation();
  const [own, other] = [useQuery(dvrQuery), useQuery(vodQuery)];
  if (!own.data || !other.data) return own.failureCount > 0 ? <StaleChip {...own} /> : <PageSkeleton />;
  const { secret } = own.data;
  return (
    <CloudAccordion
      kind="dvr"
      own={own.data}
      isOtherOn={other.data.all}
      initial={firstItem(own.data, other.data)}
      introduction={introduction}
      account={{
        isReady: secret,
        tone: secret ? 'ok' : 'off',
        word: t(secret ? 'cloud.secret.known' : 'cloud.secret.none'),
      }}
      list={<Recordings />}
    />
  );
}

function Recordings() {
  const { t } = useTranslation();
  const query = useQuery(dvrFilesQuery);
  const columns = useCloudColumns<CloudRecording>();
  if (!query.data) return query.failureCount > 0 ? <StaleChip {...query} /> : <PageSkeleton />;
  if (query.data.length === 0) return <EmptyState title={t('cloud.task.none')} text={t('cloud.task.noneText')} />;
  return (
    <>
      <StaleChip {...query} />
      <DataTable
        label={t('cloud.task.title')}
        rows={query.data}
        keyOf={({ uuid }) => uuid}
        columns={[
          ...columns,
          {
            title: t('cloud.task.bucket'),
            render: ({ bucket, region, uuid }) => (
              <CloudLink
                href={`https://console.cloud.tencent.com/cos/bucket?bucket=${bucket}&region=${region}&path=%252F${uuid}%252F`}
              >
                {uuid.slice(0, 13)}
              </CloudLink>
            ),
          },
        ]}
        actionsTitle={t('helper.actions')}
        actions={(row) => <CloudActions url={recordingUrl(row, window.location.origin)} name={streamLabel(row)} />}
      />
    </>
  );
}
