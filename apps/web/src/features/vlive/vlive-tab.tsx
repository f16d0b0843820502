import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Source, type VliveOutlet, type VliveRow, vliveApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useDestinationName } from '../../components/outlets/destination/destination-name.ts';
import { OutletIntroduction } from '../../components/outlets/outlet-introduction.tsx';
import type { SourcePart } from '../../components/outlets/outlet-panel.tsx';
import { outletQueries } from '../../components/outlets/outlet-queries.ts';
import { OutletTab } from '../../components/outlets/outlet-tab.tsx';
import type { SendOutlet } from '../../components/outlets/use-outlet-actions.ts';
import { useProbeText } from '../../components/sources/probe-text.ts';
import { SourcePicker } from '../../components/sources/source-picker.tsx';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { useOwnServer } from '../../components/streams/use-own-server.ts';
import { client } from '../../lib/api.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';

const vliveQueries = outletQueries('vlive', {
  slots: (signal) => client.call(vliveApi.secret, {}, { signal }),
  rows: (signal) => client.call(vliveApi.streams, {}, { signal }),
});

const sendVlive: SendOutlet<VliveOutlet> = {
  feature: 'vlive',
  update: (slot) => client.call(vliveApi.secret, { ...slot, action: 'update' }),
  remove: (platform) => client.call(vliveApi.secret, { action: 'remove', platform }),
};

const steps = ['choose', 'enter', 'start'] as const;

/** Files in a loop and streams from elsewhere, sent to platforms as live streams. */
export function VliveTab() {
  const { t } = useTranslation();
  const { data: environment } = useQuery(environmentQuery);
  const slots = useQuery(vliveQueries.slots);
  const rows = useQuery(vliveQueries.rows);
  const own = useOwnServer();
  const placeOf = useDestinationName(own);
  const source: SourcePart<VliveOutlet> = {
    render: (form) => <VliveSource {...form} />,
    problem: ({ files }) => (files.length === 0 ? t('plat.com.video') : undefined),
  };
  const namesOf = (files: readonly Source[]) => {
    const [first, ...others] = files;
    if (!first) return t('vlive.nothing');
    return others.length === 0 ? first.name : t('vlive.more', { name: first.name, count: files.length });
  };
  return (
    <OutletTab
      slots={slots}
      rows={rows}
      limit={environment?.vLiveLimit ?? 0}
      send={sendVlive}
      blank={{ files: [] }}
      source={source}
      own={own}
      summary={(slot) => t('vlive.summary', { files: namesOf(slot.files), server: placeOf(slot) })}
      sourceOf={(row) => <Playing row={row} />}
      preview={(stream) => <StreamPlayer stream={stream} />}
      texts={{
        intro: {
          title: t('vlive.intro.title'),
          content: (
            <OutletIntroduction
              summary={t('vlive.intro.summary')}
              steps={steps.map((step) => t(`vlive.intro.${step}`))}
              note={t('vlive.intro.note')}
            />
          ),
        },
        slot: (number) => t('vlive.slot', { number }),
        waiting: t('vlive.waiting'),
        statusHelp: t('vlive.statusHelp'),
        emptyTitle: t('vlive.empty'),
        emptyText: t('vlive.emptyText'),
      }}
    />
  );
}

function Playing({ row: { files, source } }: { row: VliveRow }) {
  const probeLine = useProbeText();
  const playing = files.find(({ uuid }) => uuid === source) ?? files[0];
  if (!playing) return null;
  return (
    <div>
      {playing.name}
      <Text size="xs" c="dimmed">
        {probeLine(playing)}
      </Text>
    </div>
  );
}

interface VliveSourceProps {
  slot: VliveOutlet;
  edit: (change: Partial<VliveOutlet>) => void;
  problem: string | undefined;
}

function VliveSource({ slot, edit, problem }: VliveSourceProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { platform, files, server, secret, label, custom } = slot;
  return (
    <SourcePicker
      label={t('vlive.label')}
      help={t('vlive.sourceHelp')}
      problem={problem}
      files={files}
      onChange={(changed) => edit({ files: changed })}
      choose={async (refs) => (await client.call(vliveApi.source, { platform, files: [...refs] })).files}
      onChosen={(chosen) => {
        // Choosing creates the slot on the server with only its files. Keep the unsaved fields.
        edit({ files: chosen, server, secret, label, custom });
        void queries.invalidateQueries({ queryKey: vliveQueries.key });
      }}
    />
  );
}
