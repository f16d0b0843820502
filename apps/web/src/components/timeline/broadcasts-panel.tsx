import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Broadcast, timelineApi } from '@weir/contract';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { client } from '../../lib/api.ts';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { VerdictLabel } from '../diagnosis/verdict-label.tsx';
import { SeparateDisksNote } from '../separate-disks-note.tsx';
import { streamPath } from '../streams/stream-link.tsx';
import { type Column, DataTable } from '../ui/facts/data-table.tsx';
import { Moment } from '../ui/facts/moment.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import { Section } from '../ui/layout/section.tsx';
import classes from './timeline.module.css';
import { broadcastsQuery } from './timeline-queries.ts';

const overviewPath = `${paths.scenario}?tab=overview`;
const few = 5;
const many = 200;

/** Broadcasts of one or all streams, newest first, with links to their timelines. */
export function BroadcastsPanel({ place }: { place?: WirePlace }) {
  const { t } = useTranslation();
  const [most, setMost] = useState(few);
  const { data, isError } = useQuery(broadcastsQuery(place, most));
  const columns = useColumns(place === undefined);
  if (!data && isError) return null;
  const { broadcasts, hasMore } = data ?? { broadcasts: undefined, hasMore: false };
  return (
    <Section anchor="broadcasts" title={t('timeline.broadcasts')} help={t('timeline.broadcastsHelp')}>
      <SeparateDisksNote mb="md" />
      {!broadcasts && <Skeleton height={120} radius="md" />}
      {broadcasts?.length === 0 && (
        <EmptyState title={t('timeline.noBroadcasts')} text={t('timeline.noBroadcastsText')} />
      )}
      {broadcasts && broadcasts.length > 0 && (
        <DataTable
          label={t('timeline.broadcasts')}
          columns={columns}
          rows={broadcasts}
          keyOf={({ id }) => String(id)}
          actionsTitle=""
        />
      )}
      {hasMore && most < many && (
        <Button variant="default" size="xs" className={classes.more} onClick={() => setMost(many)}>
          {t('timeline.showMore')}
        </Button>
      )}
    </Section>
  );
}

function useColumns(hasNames: boolean): Column<Broadcast>[] {
  const { t } = useTranslation();
  const locale = useLocale();
  const began: Column<Broadcast> = {
    title: t('timeline.began'),
    isName: !hasNames,
    render: (broadcast) => (
      <BroadcastLink broadcast={broadcast} page={hasNames ? overviewPath : streamPath(broadcast)} />
    ),
  };
  const name: Column<Broadcast> = { title: t('timeline.stream'), isName: true, render: streamLabel };
  return [
    ...(hasNames ? [name] : []),
    began,
    {
      title: t('timeline.duration'),
      render: ({ endedAt, seconds }) =>
        endedAt === '' ? <StatusLabel tone="ok" word={t('timeline.live')} /> : formatDuration(seconds, locale),
    },
    { title: t('timeline.verdict'), render: ({ verdict }) => <VerdictLabel verdict={verdict} /> },
    { title: t('timeline.peakViewers'), render: ({ peakViewers }) => peakViewers.toLocaleString(locale) },
    {
      title: t('timeline.recordings'),
      render: (broadcast) => <Recordings broadcast={broadcast} />,
    },
  ];
}

/** Links to existing recordings in order, and a note about deleted ones. */
function Recordings({ broadcast: { recordings, deletedRecordings } }: { broadcast: Broadcast }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  if (recordings.length + deletedRecordings === 0) return '–';
  return (
    <span className={classes.recordings}>
      {recordings.map((uuid, index) => (
        <Anchor
          key={uuid}
          component={Link}
          to={localPath(`${paths.scenario}?tab=record&recording=${encodeURIComponent(uuid)}`)}
          size="sm"
        >
          {recordings.length === 1 ? t('timeline.openRecording') : t('timeline.openRecordingOf', { number: index + 1 })}
        </Anchor>
      ))}
      {deletedRecordings > 0 && (
        <Text size="sm" c="dimmed">
          {t('timeline.deletedRecordings', { count: deletedRecordings })}
        </Text>
      )}
    </span>
  );
}

function BroadcastLink({ broadcast, page }: { broadcast: Broadcast; page: string }) {
  const localPath = useLocalPath();
  return (
    <Anchor component={Link} to={localPath(`${page}&broadcast=${broadcast.id}#timeline`)} inherit>
      <Moment at={broadcast.beganAt} />
    </Anchor>
  );
}

/** Summary in one line. */
export function BroadcastFacts({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { beganAt, endedAt, seconds, verdict, peakViewers } = broadcast;
  return (
    <div>
      <VerdictLabel verdict={verdict} />
      <Text size="sm" c="dimmed">
        <Moment at={beganAt} /> · {endedAt === '' ? t('timeline.live') : formatDuration(seconds, locale)} ·{' '}
        {t('timeline.peak', { number: peakViewers })}
      </Text>
    </div>
  );
}

/** Downloads everything about a broadcast for a bug report. The server removes secrets. */
export function ReportButton({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation();
  const { id, vhost, app, stream, beganAt } = broadcast;
  const report = useMutation({
    mutationFn: () => client.call(timelineApi.report, { id, vhost, app, stream }),
    onSuccess: (data) => {
      const href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
      const link = document.createElement('a');
      link.href = href;
      link.download = `${`report-${app}-${stream}-${beganAt.slice(0, 19)}`.replace(/[\\/:*?"<>|\p{Cc}]/gu, '-')}.json`;
      link.click();
      URL.revokeObjectURL(href);
    },
  });
  return (
    <Button variant="default" size="xs" loading={report.isPending} onClick={() => report.mutate()}>
      {t('timeline.report')}
    </Button>
  );
}
