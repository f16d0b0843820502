import { NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AiAnswerer, TranscriptConfig, TranscriptStream } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Pipeline } from '../../components/segments/pipeline.tsx';
import { StartStop } from '../../components/segments/service-actions.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { useStreamLabel } from './header/stream-state.tsx';
import { TranscriptHeader } from './header/transcript-header.tsx';
import { Introduction } from './introduction.tsx';
import { Operations } from './operations.tsx';
import { FixQueue } from './queues/fix-queue.tsx';
import { AsrQueue, LiveQueue, OverlayQueue } from './queues/plain-queues.tsx';
import { ServiceForm } from './service/service-form.tsx';
import { useTranscriptForm } from './service/use-transcript-form.ts';
import { transcriptQuery, transcriptStateQuery } from './transcript-queries.ts';

/** Live subtitles: what runs, the way of a segment from its arrival to viewers, and the settings. */
export function TranscriptTab() {
  const query = useQuery(transcriptQuery);
  const state = useQuery(transcriptStateQuery);
  const failing = [query, state].find(({ data, failureCount }) => !data && failureCount > 0);
  if (failing) return <StaleChip {...failing} />;
  if (!query.data || !state.data) return <PageSkeleton />;
  return (
    <>
      <StaleChip {...state} />
      <Loaded {...query.data} state={state.data} />
    </>
  );
}

interface LoadedProps {
  config: TranscriptConfig;
  task: { uuid: string };
  state: { provider: AiAnswerer; streams: readonly TranscriptStream[] };
}

const queueNames = ['live', 'asr', 'fix', 'overlay'] as const;
type QueueName = (typeof queueNames)[number];
/** Keys of the specification. */
const keys = { live: '2', asr: '3', fix: '4', overlay: '5' } as const satisfies Record<QueueName, string>;

function Loaded({ config, task, state }: LoadedProps) {
  const { t } = useTranslation();
  const form = useTranscriptForm(config, task.uuid);
  // What is open, and whether lists or settings come first, is decided once: nothing moves when it is started.
  const [wasOn] = useState(config.all);
  const [asked, setAsked] = useState<{ key: string }>();
  const [chosen, setChosen] = useState('');
  const stream = state.streams.find(({ uuid }) => uuid === chosen) ?? state.streams[0];
  const uuid = stream?.uuid ?? task.uuid;
  const segments = state.streams.reduce((sum, { live, asr, fix, overlay }) => sum + live + asr + fix + overlay, 0);
  const queue = (name: QueueName, title: string, content: React.ReactNode) => ({
    key: keys[name],
    title,
    help: t(`transcript.queueHelp.${name}`),
    state: <span>{t('segments.count', { count: stream?.[name] ?? 0 })}</span>,
    content,
  });
  const queues = [
    queue('live', t('segments.live'), <LiveQueue uuid={uuid} />),
    queue('asr', t('transcript.asr'), <AsrQueue uuid={uuid} />),
    queue('fix', t('transcript.fix'), <FixQueue key={uuid} uuid={uuid} />),
    queue('overlay', t('transcript.overlay'), <OverlayQueue uuid={uuid} />),
    {
      key: '6',
      title: t('transcript.ops'),
      help: t('transcript.opsTitleHelp'),
      content: <Operations uuid={uuid} config={config} hasOutput={(stream?.overlay ?? 0) > 0} />,
    },
  ];
  const settings = {
    key: '1',
    title: t('segments.service'),
    help: t('transcript.serviceHelp'),
    content: <ServiceForm form={form} segments={segments} />,
  };
  const introduction = { key: '0', title: t('segments.intro'), content: <Introduction /> };
  return (
    <Stack gap="md">
      <TranscriptHeader
        isOn={config.all}
        state={state}
        actions={
          <div>
            <StartStop form={form} start={t('transcript.start')} stop={t('transcript.stop')} />
          </div>
        }
      >
        {state.streams.length > 1 && <StreamSelect streams={state.streams} uuid={uuid} onChange={setChosen} />}
        {stream && (
          <Pipeline
            label={t('transcript.pipeline.label')}
            steps={queueNames.map((name) => ({ name, word: t(`transcript.pipeline.${name}`), count: stream[name] }))}
            onOpen={(name) => setAsked({ key: keys[name] })}
          />
        )}
      </TranscriptHeader>
      <Accordion
        initial={wasOn ? ['2', '3', '4', '5', '6'] : ['1']}
        asked={asked}
        items={wasOn ? [...queues, settings, introduction] : [settings, ...queues, introduction]}
      />
    </Stack>
  );
}

interface StreamSelectProps {
  streams: readonly TranscriptStream[];
  uuid: string;
  onChange: (uuid: string) => void;
}

/** Of which of several streams queues and links are shown. */
function StreamSelect({ streams, uuid, onChange }: StreamSelectProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      maw={320}
      label={t('transcript.showStream')}
      value={uuid}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {streams.map((stream) => (
        <StreamOption key={stream.uuid} stream={stream} />
      ))}
    </NativeSelect>
  );
}

function StreamOption({ stream }: { stream: TranscriptStream }) {
  return <option value={stream.uuid}>{useStreamLabel(stream)}</option>;
}
