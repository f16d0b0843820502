import { Button, List, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AiAnswerer, TranscriptConfig, TranscriptStream } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { AiTaskPage, AiTaskTab } from '../../components/ai-task/ai-task-tab.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { IconExternalLink } from '../../components/ui/theme/icons.ts';
import { listOutputs } from './outputs.ts';
import { overallTones, transcriptOverallState } from './overall-state.ts';
import { CorrectionQueue } from './queues/correction-queue.tsx';
import { AsrQueue, OverlayQueue, TranscriptLiveQueue } from './queues/plain-queues.tsx';
import { IconShare } from './running/icons.ts';
import { LivePicture } from './running/live-picture.tsx';
import { RunningPanel } from './running/running-panel.tsx';
import classes from './transcript.module.css';
import { TranscriptHeader, useStreamLabel } from './transcript-header.tsx';
import { transcriptQuery, transcriptStateQuery } from './transcript-queries.ts';
import { TranscriptService, useTranscriptForm } from './transcript-service.tsx';

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

/** Panel keys of the queues, given by the specification. */
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
  const { search } = useLocation();
  const overall = transcriptOverallState(config.all, state);
  const live = state.streams.filter(({ process }) => process.state === 'live').length;
  const word =
    overall === 'live' ? t('transcript.head.liveCount', { count: live }) : t(`transcript.overall.${overall}`);
  const isUnused = !config.all && state.streams.every((one) => one.overlay + one.fix + one.asr === 0);
  const streamName = useStreamLabel(stream ?? { stream: '', wanted: '' });
  return (
    <AiTaskPage
      kind="transcript"
      form={form}
      state={{ tone: overallTones[overall], word }}
      purpose={usePurpose(config, stream?.stream ?? '')}
      action={
        !isUnused && (
          <Button
            variant="default"
            leftSection={<IconShare size={16} aria-hidden />}
            component={Link}
            to={{ search, hash: 'panel-6' }}
          >
            {t('transcript.running.watchLinks')}
          </Button>
        )
      }
      isUnused={isUnused}
      picture={stream && <LivePicture key={uuid} stream={stream} isOn={config.all} />}
      text={
        <RunningPanel
          key={uuid}
          {...{ uuid, isOn: config.all, stream: streamName, spoken: config.lang, translations: config.translations }}
          onAddLanguage={() => form.show('asr')}
        />
      }
      details={
        <TranscriptHeader isOn={config.all} isUnused={isUnused} state={state}>
          {state.streams.length > 1 && <StreamSelect streams={state.streams} uuid={uuid} onChange={setChosen} />}
        </TranscriptHeader>
      }
      queues={[
        queue('live', t('segments.live'), <TranscriptLiveQueue uuid={uuid} />),
        queue('asr', t('transcript.asr'), <AsrQueue uuid={uuid} />),
        queue('fix', t('transcript.fix'), <CorrectionQueue key={uuid} uuid={uuid} />),
        queue('overlay', t('transcript.overlay'), <OverlayQueue uuid={uuid} />),
      ]}
      result={{
        title: t('transcript.ops'),
        help: t('transcript.opsTitleHelp'),
        content: <Operations uuid={uuid} config={config} hasOutput={(stream?.overlay ?? 0) > 0} />,
      }}
      service={<TranscriptService form={form} segments={segments} />}
      introduction={<Introduction />}
    />
  );
}

function usePurpose({ all, translations }: TranscriptConfig, stream: string): string {
  const { t } = useTranslation();
  if (!all || stream === '') return t('nav.purpose.transcript');
  if (translations.length === 0) return t('transcript.running.purposePlain', { stream });
  return t('transcript.running.purpose', { stream, count: translations.length });
}

interface StreamSelectProps {
  streams: readonly TranscriptStream[];
  uuid: string;
  onChange: (uuid: string) => void;
}

/** Chooses the stream whose queues and links are shown. */
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

interface OperationsProps {
  uuid: string;
  config: TranscriptConfig;
  hasOutput: boolean;
}

function Operations({ uuid, config, hasOutput }: OperationsProps) {
  const { t } = useTranslation();
  const outputs = listOutputs(uuid, window.location, config.webvttEnabled);
  return (
    <Stack gap="md">
      {!hasOutput && (
        <Text size="sm" c="dimmed">
          {t('transcript.noOutput')}
        </Text>
      )}
      {outputs.map(({ kind, url, player }) => (
        <div key={kind} className={classes.link}>
          <CopyField label={t(`transcript.${kind}`)} value={url} qrValue={new URL(player, window.location.href).href} />
          <Button
            component="a"
            href={player}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<IconExternalLink size={16} aria-hidden />}
            aria-label={t('transcript.running.openWhat', { output: t(`transcript.${kind}`) })}
          >
            {t('transcript.running.open')}
          </Button>
        </div>
      ))}
      <Text size="sm" c="dimmed">
        {t('transcript.opsHelp')}
      </Text>
    </Stack>
  );
}

const outputs = ['overlay', 'webvtt', 'original'] as const;
const facts = ['first', 'edit', 'privacy', 'delay'] as const;

function Introduction() {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" maw={760} mb="sm">
        {t('transcript.intro.summary')}
      </Text>
      <List size="sm" maw={760} spacing="xs">
        {outputs.map((output) => (
          <List.Item key={output}>{t(`transcript.intro.${output}`)}</List.Item>
        ))}
      </List>
      {facts.map((fact) => (
        <Text key={fact} size="sm" maw={760} mt="sm">
          {t(`transcript.intro.${fact}`)}
        </Text>
      ))}
    </>
  );
}
