import { useQuery } from '@tanstack/react-query';
import type { OverlaySegment } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { QueueTable } from '../../../components/segments/queue-table.tsx';
import type { Column } from '../../../components/ui/facts/data-table.tsx';
import { asrQueueQuery, overlayQueueQuery, transcriptLiveQueueQuery } from '../transcript-queries.ts';
import { CueList, useColumns } from './cue-list.tsx';

/** Segments as they arrived. */
export function TranscriptLiveQueue({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const query = useQuery(transcriptLiveQueueQuery(uuid));
  return (
    <QueueTable query={query} columns={useColumns().live} label={t('segments.live')} empty={t('segments.nolive')} />
  );
}

/** Segments whose speech is being recognized. */
export function AsrQueue({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const query = useQuery(asrQueueQuery(uuid));
  return (
    <QueueTable
      query={query}
      columns={useColumns().asr}
      label={t('transcript.asr')}
      empty={t('transcript.noasr')}
      legend={t('transcript.legend.asr')}
    />
  );
}

/** Segments as viewers get them. */
export function OverlayQueue({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const query = useQuery(overlayQueueQuery(uuid));
  const text: Column<OverlaySegment> = {
    title: t('transcript.column.text'),
    render: (row) => <CueList segment={row} />,
  };
  return (
    <QueueTable
      query={query}
      columns={[...useColumns().overlay, text]}
      label={t('transcript.overlay')}
      empty={t('transcript.nooverlay')}
      legend={t('transcript.legend.overlay')}
    />
  );
}
