import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../components/ui/facts/data-table.tsx';
import { asrQueueQuery, liveQueueQuery, overlayQueueQuery } from '../transcript-queries.ts';
import { CueList } from './cue-list.tsx';
import { QueueBody } from './queue-body.tsx';
import { useColumns } from './use-columns.tsx';

const keyOf = ({ tsid }: { tsid: string }) => tsid;

/** Segments as they came. */
export function LiveQueue({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const query = useQuery(liveQueueQuery(uuid));
  const columns = useColumns().live;
  const rows = query.data?.segments ?? [];
  return (
    <QueueBody query={query} isEmpty={rows.length === 0} empty={t('transcript.nolive')}>
      <DataTable
        label={t('transcript.live')}
        {...{ columns, keyOf }}
        rows={rows}
        actionsTitle={t('transcript.action')}
      />
    </QueueBody>
  );
}

/** Segments whose speech is being recognised. */
export function AsrQueue({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const query = useQuery(asrQueueQuery(uuid));
  const columns = useColumns().asr;
  const rows = query.data?.segments ?? [];
  return (
    <QueueBody query={query} isEmpty={rows.length === 0} empty={t('transcript.noasr')}>
      <Stack gap="sm">
        <DataTable
          label={t('transcript.asr')}
          {...{ columns, keyOf }}
          rows={rows}
          actionsTitle={t('transcript.action')}
        />
        <Text size="xs" c="dimmed">
          {t('transcript.legend.asr')}
        </Text>
      </Stack>
    </QueueBody>
  );
}

/** What viewers get. */
export function OverlayQueue({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const query = useQuery(overlayQueueQuery(uuid));
  const columns = useColumns().overlay;
  const rows = query.data?.segments ?? [];
  return (
    <QueueBody query={query} isEmpty={rows.length === 0} empty={t('transcript.nooverlay')}>
      <Stack gap="sm">
        <DataTable
          label={t('transcript.overlay')}
          columns={[...columns, { title: t('transcript.column.text'), render: (row) => <CueList segment={row} /> }]}
          keyOf={keyOf}
          rows={rows}
          actionsTitle={t('transcript.action')}
        />
        <Text size="xs" c="dimmed">
          {t('transcript.legend.overlay')}
        </Text>
      </Stack>
    </QueueBody>
  );
}
