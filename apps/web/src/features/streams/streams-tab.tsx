import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ActiveStream } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NoStreams } from '../../components/streams/no-streams.tsx';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { KickoffDialog } from './kickoff-dialog.tsx';

export function StreamsTab() {
  const { t } = useTranslation();
  const query = useQuery(streamsQuery);
  const columns = useColumns();
  // Keeps the stream while the dialog fades out.
  const [target, setTarget] = useState<ActiveStream>();
  const [isAsking, setIsAsking] = useState(false);
  const streams = query.data?.streams;
  if (!streams && query.failureCount === 0) return <PageSkeleton />;
  return (
    <Section
      title={t('settings.activeStreams')}
      help={t('settings.activeStreamsHelp')}
      state={<StaleChip {...query} />}
    >
      {streams?.length === 0 && <NoStreams />}
      {streams && streams.length > 0 && (
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
      {target && <KickoffDialog stream={target} opened={isAsking} onClose={() => setIsAsking(false)} />}
    </Section>
  );
}

function useColumns(): Column<ActiveStream>[] {
  const { t } = useTranslation();
  return [
    { title: '#', render: (_stream, index) => index + 1, isHiddenOnCards: true },
    { title: t('settings.streamUrl'), render: (stream) => <StreamLink stream={stream} />, isName: true },
    { title: t('settings.streamServer'), render: (stream) => stream.server_id, isCode: true },
    { title: t('settings.streamClient'), render: (stream) => stream.client_id, isCode: true },
    { title: t('settings.streamUpdated'), render: (stream) => <Moment at={stream.update} /> },
  ];
}
