import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ForwardOutlet, outletLimits } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useDestinationName } from '../../components/outlets/destination/destination-name.ts';
import { OutletIntroduction } from '../../components/outlets/outlet-introduction.tsx';
import type { SourcePart } from '../../components/outlets/outlet-panel.tsx';
import { OutletTab } from '../../components/outlets/outlet-tab.tsx';
import { StreamPlayer } from '../../components/streams/stream-player.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { forwardQueries, sendForward } from './forward-queries.ts';

const steps = ['publish', 'enter', 'start'] as const;

const source: SourcePart<ForwardOutlet> = {
  render: ({ slot, edit }) => <StreamField value={slot.stream} onChange={(stream) => edit({ stream })} />,
};

export function ForwardTab() {
  const { t } = useTranslation();
  const { data: environment } = useQuery(environmentQuery);
  const slots = useQuery(forwardQueries.slots);
  const rows = useQuery(forwardQueries.rows);
  const newest = t('forward.newest');
  const placeOf = useDestinationName();
  return (
    <OutletTab
      slots={slots}
      rows={rows}
      limit={environment?.forwardLimit ?? 0}
      send={sendForward}
      blank={{ stream: '' }}
      source={source}
      summary={(slot) => t('forward.summary', { stream: slot.stream || newest, server: placeOf(slot) })}
      sourceOf={({ stream }) => stream}
      preview={(stream) => <StreamPlayer stream={stream} />}
      texts={{
        intro: {
          title: t('forward.intro.title'),
          content: (
            <OutletIntroduction
              summary={t('forward.intro.summary')}
              steps={steps.map((step) => t(`forward.intro.${step}`))}
              note={t('forward.intro.note')}
            />
          ),
        },
        slot: (number) => t('forward.slot', { number }),
        waiting: t('forward.waiting'),
        statusHelp: t('forward.statusHelp'),
        emptyTitle: t('forward.empty'),
        emptyText: t('forward.emptyText'),
      }}
    />
  );
}

/** Stream to forward: a live one, or the name of a later one. */
function StreamField({ value, onChange }: { value: string; onChange: (stream: string) => void }) {
  const { t } = useTranslation();
  const listId = useId();
  const { data } = useQuery(streamsQuery);
  return (
    <>
      <TextInput
        size="md"
        label={t('forward.stream')}
        description={t('forward.tip')}
        placeholder={t('forward.newest')}
        list={listId}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={outletLimits.streamCharacters}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {data?.streams.map((stream) => (
          <option key={stream.client_id} value={streamLabel(stream)} />
        ))}
      </datalist>
    </>
  );
}
