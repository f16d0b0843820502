import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ActiveStream } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBitrate, formatNumber } from '../../components/figures/format-figures.ts';
import { useNow } from '../../components/processes/use-now.ts';
import { DataAge } from '../../components/streams/data-age.tsx';
import { protocolName } from '../../components/streams/facts/protocol-name.ts';
import { NoStreams } from '../../components/streams/no-streams.tsx';
import { settledBitrate } from '../../components/streams/settled-bitrate.ts';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import classes from '../../components/ui/layout/section.module.css';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { KickoffDialog } from './kickoff-dialog.tsx';

export function StreamsTab() {
  const { t } = useTranslation();
  const query = useQuery(streamsQuery);
  const columns = useColumns(query.dataUpdatedAt);
  // Keeps the stream while the dialog fades out.
  const [target, setTarget] = useState<ActiveStream>();
  const [isAsking, setIsAsking] = useState(false);
  const streams = query.data?.streams;
  if (!streams && query.failureCount === 0) return <PageSkeleton />;
  return (
    <section aria-label={t('settings.activeStreams')}>
      <PageHead
        title={t('settings.tabStreams')}
        state={query.failureCount > 0 ? <StaleChip {...query} /> : <DataAge updatedAtMs={query.dataUpdatedAt} />}
        purpose={t('settings.activeStreamsHelp')}
      />
      {streams && (
        <div className={classes.section}>
          {streams.length === 0 && <NoStreams />}
          {streams.length > 0 && (
            <DataTable
              label={t('settings.activeStreams')}
              columns={columns}
              rows={streams}
              keyOf={(stream) => `${stream.client_id} ${streamLabel(stream)}`}
              actionsTitle={t('helper.actions')}
              actions={(stream) => (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('settings.kickoffTitle', { name: streamLabel(stream) })}
                  onClick={() => {
                    setTarget(stream);
                    setIsAsking(true);
                  }}
                >
                  {t('helper.kickoff')}
                </Button>
              )}
            />
          )}
        </div>
      )}
      {target && <KickoffDialog stream={target} opened={isAsking} onClose={() => setIsAsking(false)} />}
    </section>
  );
}

function useColumns(updatedAtMs: number): Column<ActiveStream>[] {
  const { t } = useTranslation();
  const locale = useLocale();
  return [
    { title: '#', render: (_stream, index) => index + 1, isHiddenOnCards: true },
    {
      title: t('settings.streamUrl'),
      render: (stream) => (
        <Stack gap={0}>
          <StreamLink stream={stream} />
          <Text size="xs" c="dimmed" component="span">
            {t('settings.streamSince')} <Since at={stream.update} />
          </Text>
        </Stack>
      ),
      isName: true,
    },
    {
      title: t('settings.streamProtocol'),
      render: ({ media }) => {
        if (media?.protocol === 'program') return t('program.one');
        return media?.protocol ? protocolName(media.protocol) : '–';
      },
    },
    { title: t('settings.streamViewers'), render: ({ media }) => (media ? formatNumber(media.viewers, locale) : '–') },
    {
      title: t('settings.streamBitrate'),
      render: (stream) =>
        formatBitrate(settledBitrate(stream), locale) ?? (stream.media ? t('live.facts.measuring') : '–'),
    },
    { title: t('settings.streamServer'), render: (stream) => stream.server_id, isCode: true },
    { title: t('settings.streamClient'), render: (stream) => stream.client_id, isCode: true },
    // When its numbers last arrived: every second while it is measured.
    { title: t('settings.streamUpdated'), render: () => <Moment at={new Date(updatedAtMs).toISOString()} /> },
  ];
}

function Since({ at }: { at: string }) {
  const locale = useLocale();
  const now = useNow(true);
  return <>{formatDuration(Math.max(0, now - Date.parse(at)) / 1000, locale)}</>;
}
