import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Source, type VliveOutlet, type VliveRow, vliveApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useOwnServer } from '../../components/outlets/destination/use-own-server.ts';
import { VliveArt } from '../../components/outlets/empty-art.tsx';
import { OutletIntroduction } from '../../components/outlets/outlet-introduction.tsx';
import { OutletList } from '../../components/outlets/outlet-list.tsx';
import { OutletPicture } from '../../components/outlets/outlet-picture.tsx';
import { outletQueries } from '../../components/outlets/outlet-queries.ts';
import type { SourcePart } from '../../components/outlets/outlet-sheet.tsx';
import type { SendOutlet } from '../../components/outlets/use-outlet-actions.ts';
import { useProbeText } from '../../components/sources/probe-text.ts';
import { SourcePicker } from '../../components/sources/source-picker.tsx';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
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

/** Files in a loop and streams from elsewhere, sent as live streams. */
export function VliveTab() {
  const { t } = useTranslation();
  const { data: environment } = useQuery(environmentQuery);
  const slots = useQuery(vliveQueries.slots);
  const rows = useQuery(vliveQueries.rows);
  const own = useOwnServer();
  const source: SourcePart<VliveOutlet> = {
    render: ({ slot, edit, problem, holder, onHeld }) => (
      <SourcePicker
        label={t('vlive.label')}
        help={t('vlive.sourceHelp')}
        problem={problem}
        files={slot.files}
        onChange={(files) => edit({ files })}
        choose={async (refs) => {
          const { files } = await client.call(vliveApi.source, { platform: holder, files: [...refs] });
          onHeld();
          return files;
        }}
        onChosen={(files) => edit({ files })}
      />
    ),
    problem: ({ files }) => (files.length === 0 ? t('plat.com.video') : undefined),
    titleOf: ({ files }) => files[0]?.name,
  };
  const playing = (slot: VliveOutlet, row: VliveRow | undefined) =>
    slot.files.find(({ uuid }) => uuid === row?.source) ?? slot.files[0];
  const namesOf = (files: readonly Source[]) => {
    const [first, ...others] = files;
    if (!first) return t('vlive.nothing');
    return others.length === 0 ? first.name : t('vlive.more', { name: first.name, count: files.length });
  };
  return (
    <OutletList
      slots={slots}
      rows={rows}
      limit={environment && own && environment.vLiveLimit}
      send={sendVlive}
      blank={{ files: [] }}
      source={source}
      own={own}
      from={(slot) => namesOf(slot.files)}
      picture={(slot, row) => <OutletPicture slot={slot} row={row} own={own} source={playing(slot, row)} />}
      facts={(slot, row) => <Playing source={playing(slot, row)} />}
      preview={(stream) => <StreamPlayer stream={stream} />}
      texts={{
        title: t('vlive.tab'),
        purpose: t('nav.purpose.vlive'),
        add: t('vlive.add'),
        edit: t('vlive.edit'),
        head: t('vlive.head'),
        help: (
          <OutletIntroduction
            summary={t('vlive.intro.summary')}
            steps={steps.map((step) => t(`vlive.intro.${step}`))}
            note={t('vlive.intro.note')}
          />
        ),
        empty: { art: <VliveArt />, text: t('vlive.emptyText') },
        sourceStep: { title: t('plat.com.source'), hint: t('vlive.sourceHint') },
        waiting: t('vlive.waiting'),
        slot: (number) => t('vlive.slot', { number }),
      }}
    />
  );
}

function Playing({ source }: { source: Source | undefined }) {
  const { t } = useTranslation();
  const probeText = useProbeText();
  return (
    source && (
      <Text size="sm">
        {t('vlive.playing', { name: source.name })}
        <br />
        <Text span size="sm" c="dimmed">
          {probeText(source)}
        </Text>
      </Text>
    )
  );
}
