import { Anchor, Button, Stack, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { streamLabel } from '@weir/streams';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { Ago } from '../../components/ui/facts/moment.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { useCopy } from '../../lib/notify.ts';
import classes from './cloud.module.css';
import { type CloudKind, previewUrl, recordingUrl, videoUrl } from './cloud-kind.ts';
import { cloudRecordingsQuery, cloudVideosQuery } from './cloud-queries.ts';

const consolePage = 'https://console.cloud.tencent.com';

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
  /** Column for the place of the file, which depends on the kind. */
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

interface CloudFile {
  readonly uuid: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly progress: boolean;
  readonly update: string;
  readonly nn: number;
  readonly duration: number;
  readonly size: number;
  readonly waiting: number;
  readonly lost: number;
}

function useCloudFileColumns<Row extends CloudFile>(): Column<Row>[] {
  const { t } = useTranslation();
  const locale = useLocale();
  return [
    { title: '#', isHiddenOnCards: true, render: (_row, index) => index + 1 },
    {
      title: t('cloud.task.stream'),
      isName: true,
      render: (row) => <span className={classes.stream}>{streamLabel(row)}</span>,
    },
    { title: t('cloud.task.status'), render: (row) => <FileState {...row} /> },
    { title: t('cloud.task.update'), render: ({ update }) => <Ago at={update} /> },
    {
      title: t('cloud.task.duration'),
      render: ({ duration, nn }) => (
        <TextWithNote text={formatDuration(duration, locale)} small={t('cloud.task.slices', { count: nn })} />
      ),
    },
    { title: t('cloud.task.size'), render: ({ size }) => `${(size / 1024 / 1024).toFixed(1)} MB` },
  ];
}

function FileState({ progress, waiting, lost }: CloudFile) {
  const { t } = useTranslation();
  return (
    <Stack gap={2} title={progress ? t('cloud.task.tip') : undefined}>
      <StatusLabel tone={progress ? 'ok' : 'off'} word={progress ? t('cloud.task.ing') : t('cloud.task.done')} />
      {waiting > 0 && (
        <Text size="xs" c="dimmed">
          {t('cloud.task.waiting', { count: waiting })}
        </Text>
      )}
      {lost > 0 && (
        <Text size="xs" c="red">
          {t('cloud.task.lost', { count: lost })}
        </Text>
      )}
    </Stack>
  );
}

/** Value with a less important one below it. */
function TextWithNote({ text, small }: { text: ReactNode; small: string }) {
  return (
    <Stack gap={2}>
      <span>{text}</span>
      <Text size="xs" c="dimmed" component="span">
        {small}
      </Text>
    </Stack>
  );
}

/** Buttons that copy the URL and open the preview, plus those of the caller. */
function FileActions({ url, name, children }: { url: string; name: string; children?: ReactNode }) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <div className={classes.actions}>
      <Button variant="default" size="xs" aria-label={t('cloud.task.copyWhat', { name })} onClick={() => copy(url)}>
        {t('cloud.task.copy')}
      </Button>
      <Button
        variant="default"
        size="xs"
        component="a"
        href={previewUrl(url)}
        target="_blank"
        rel="noreferrer"
        aria-label={t('cloud.task.previewWhat', { name })}
      >
        {t('cloud.task.preview')}
      </Button>
      {children}
    </div>
  );
}

function TencentConsoleLink({ href, children }: { href: string; children: string }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
      {children}
    </Anchor>
  );
}
