import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AiAnswerer, TranscriptConfig, TranscriptStream } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AiTaskPage, AiTaskTab } from '../../components/ai-task/ai-task-tab.tsx';
import { useStreamLabel } from './header/stream-state.tsx';
import { TranscriptHeader } from './header/transcript-header.tsx';
import { Introduction } from './introduction.tsx';
import { Operations } from './operations.tsx';
import { CorrectionQueue } from './queues/fix-queue.tsx';
import { AsrQueue, LiveQueue, OverlayQueue } from './queues/plain-queues.tsx';
import { TranscriptService } from './service/transcript-service.tsx';
import { useTranscriptForm } from './service/use-transcript-form.ts';
import { transcriptQuery, transcriptStateQuery } from './transcript-queries.ts';

/** Live subtitles: what runs, the way of a segment from its arrival to viewers, and the settings. */
export function TranscriptTab() {
  return (
    <AiTaskTab settings={useQuery(transcriptQuery)} state={useQuery(transcriptStateQuery)}>
      {(settings, state) => <Loaded {...settings} state={state} />}
    </AiTaskTab>
  );
}

interface LoadedProps {
  config: TranscriptConfig;
  task: { uuid: string };
  state: { provider: AiAnswerer; translator: AiAnswerer | null; streams: readonly TranscriptStream[] };
}

/** Keys of the specification. */
const keys = { live: '2', asr: '3', fix: '4', overlay: '5' } as const;

function Loaded({ config, task, state }: LoadedProps) {
  const { t } = useTranslation();
  const form = useTranscriptForm(config, task.uuid);
  const [chosen, setChosen] = useState('');
  const stream = state.streams.find(({ uuid }) => uuid === chosen) ?? state.streams[0];
  const uuid = stream?.uuid ?? task.uuid;
  const segments = state.streams.reduce((sum, { live, asr, fix, overlay }) => sum + live + asr + fix + overlay, 0);
  const queue = (name: keyof typeof keys, title: string, content: ReactNode) => {
    const words = { title, help: t(`transcript.queueHelp.${name}`), word: t(`transcript.pipeline.${name}`) };
    return { key: keys[name], ...words, count: stream?.[name] ?? 0, content };
  };
  return (
    <AiTaskPage
      kind="transcript"
      form={form}
      header={({ pipeline, action }) => (
        <TranscriptHeader isOn={config.all} state={state} action={action}>
          {state.streams.length > 1 && <StreamSelect streams={state.streams} uuid={uuid} onChange={setChosen} />}
          {stream && pipeline}
        </TranscriptHeader>
      )}
      queues={[
        queue('live', t('segments.live'), <LiveQueue uuid={uuid} />),
        queue('asr', t('transcript.asr'), <AsrQueue uuid={uuid} />),
        queue('fix', t('transcript.fix'), <CorrectionQueue key={uuid} uuid={uuid} />),
        queue('overlay', t('transcript.overlay'), <OverlayQueue uuid={uuid} />),
      ]}
      last={[
        {
          key: '6',
          title: t('transcript.ops'),
          help: t('transcript.opsTitleHelp'),
          content: <Operations uuid={uuid} config={config} hasOutput={(stream?.overlay ?? 0) > 0} />,
        },
      ]}
      service={<TranscriptService form={form} segments={segments} />}
      introduction={<Introduction />}
    />
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
