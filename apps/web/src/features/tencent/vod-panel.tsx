import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CloudVideo } from '@weir/contract';
import { streamLabel } from '@weir/dialect';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/ui/data/data-table.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { CloudAccordion } from './cloud-accordion.tsx';
import { CloudActions, CloudLink, Pair, useCloudColumns } from './cloud-columns.tsx';
import { firstItem, videoUrl } from './cloud-kind.ts';
import { dvrQuery, vodFilesQuery, vodQuery } from './cloud-queries.ts';

const videoPage = 'https://console.cloud.tencent.com/vod/media/detail';

/** Cloud video on demand: the account and its services, the switch, and the videos. */
export function VodPanel({ introduction }: { introduction: ReactNode }) {
  const { t } = useTranslation();
  const [own, other] = [useQuery(vodQuery), useQuery(dvrQuery)];
  if (!own.data || !other.data) return own.failureCount > 0 ? <StaleChip {...own} /> : <PageSkeleton />;
  const { secret, service, storage } = own.data;
  const isReady = secret && service && storage;
  const missing = secret ? t(service ? 'cloud.vod.noStorage' : 'cloud.vod.noService') : t('cloud.secret.none');
  return (
    <CloudAccordion
      kind="vod"
      own={own.data}
      isOtherOn={other.data.all}
      initial={firstItem(own.data, other.data, isReady)}
      introduction={introduction}
      account={{
        isReady,
        tone: isReady ? 'ok' : secret ? 'warn' : 'off',
        word: isReady ? t('cloud.secret.known') : missing,
      }}
      list={<Videos />}
    />
  );
}

function Videos() {
  const { t } = useTranslation();
  const query = useQuery(vodFilesQuery);
  const columns = useCloudColumns<CloudVideo>();
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
            title: t('cloud.task.file'),
            render: ({ file, task }) =>
              file === '' ? (
                '–'
              ) : (
                <Pair
                  text={<CloudLink href={`${videoPage}?fileId=${encodeURIComponent(file)}`}>{file}</CloudLink>}
                  small={task ? `${task.width}×${task.height}` : t('cloud.task.noMp4')}
                />
              ),
          },
        ]}
        actionsTitle={t('helper.actions')}
        actions={(row) => (
          <CloudActions url={videoUrl(row, window.location.origin)} name={streamLabel(row)}>
            {row.task && (
              <Button variant="default" size="xs" component="a" href={row.task.url} target="_blank" rel="noreferrer">
                MP4
              </Button>
            )}
          </CloudActions>
        )}
      />
    </>
  );
}
