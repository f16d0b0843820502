import { Button } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { streamLabel } from '@weir/dialect';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import {
  type CloudFile,
  FileActions,
  TencentConsoleLink,
  TextWithNote,
  useCloudFileColumns,
} from './cloud-columns.tsx';
import { type CloudKind, recordingUrl, videoUrl } from './cloud-kind.ts';
import { cloudRecordingsQuery, cloudVideosQuery } from './cloud-queries.ts';

const consolePage = 'https://console.cloud.tencent.com';

/** What is in the cloud. */
export function CloudFiles({ kind }: { kind: CloudKind }) {
  return kind === 'dvr' ? <Recordings /> : <Videos />;
}

function Recordings() {
  const { t } = useTranslation();
  const query = useQuery(cloudRecordingsQuery);
  return (
    <Files
      query={query}
      column={{
        title: t('cloud.task.bucket'),
        render: ({ bucket, region, uuid }) => (
          <TencentConsoleLink
            href={`${consolePage}/cos/bucket?bucket=${bucket}&region=${region}&path=%252F${uuid}%252F`}
          >
            {uuid.slice(0, 13)}
          </TencentConsoleLink>
        ),
      }}
      actions={(row) => <FileActions url={recordingUrl(row, window.location.origin)} name={streamLabel(row)} />}
    />
  );
}

function Videos() {
  const { t } = useTranslation();
  const query = useQuery(cloudVideosQuery);
  return (
    <Files
      query={query}
      column={{
        title: t('cloud.task.file'),
        render: ({ file, task }) =>
          file === '' ? (
            '–'
          ) : (
            <TextWithNote
              text={
                <TencentConsoleLink href={`${consolePage}/vod/media/detail?fileId=${encodeURIComponent(file)}`}>
                  {file}
                </TencentConsoleLink>
              }
              small={task ? `${task.width}×${task.height}` : t('cloud.task.noMp4')}
            />
          ),
      }}
      actions={(row) => (
        <FileActions url={videoUrl(row, window.location.origin)} name={streamLabel(row)}>
          {row.task && (
            <Button variant="default" size="xs" component="a" href={row.task.url} target="_blank" rel="noreferrer">
              MP4
            </Button>
          )}
        </FileActions>
      )}
    />
  );
}

interface FilesProps<Row extends CloudFile> {
  query: UseQueryResult<Row[], unknown>;
  /** Where the kind keeps a file. */
  column: Column<Row>;
  actions: (row: Row) => ReactNode;
}

function Files<Row extends CloudFile>({ query, column, actions }: FilesProps<Row>) {
  const { t } = useTranslation();
  const columns = useCloudFileColumns<Row>();
  if (!query.data) return query.failureCount > 0 ? <StaleChip {...query} /> : <PageSkeleton />;
  if (query.data.length === 0) return <EmptyState title={t('cloud.task.none')} text={t('cloud.task.noneText')} />;
  return (
    <>
      <StaleChip {...query} />
      <DataTable
        label={t('cloud.task.title')}
        rows={query.data}
        keyOf={({ uuid }) => uuid}
        columns={[...columns, column]}
        actionsTitle={t('helper.actions')}
        actions={actions}
      />
    </>
  );
}
