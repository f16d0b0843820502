import { Group, Stack, Text } from '@mantine/core';
import type { TranscriptStream } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { delayText } from '../../../components/figures/figures.ts';
import { ProcessNow } from '../../../components/processes/process-now.tsx';
import { ProcessReason } from '../../../components/processes/process-reason.tsx';
import { useLocale } from '../../../lib/i18n.ts';
import classes from '../transcript.module.css';
import { CaptionsSwitch } from './captions-switch.tsx';
import { TranslationState } from './translation-state.tsx';

/** One stream: what is heard of it, how far its subtitles are behind, and what went wrong. */
export function StreamState({ stream }: { stream: TranscriptStream }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { process, delayMs, cause } = stream;
  const name = useStreamLabel(stream);
  const losses = useLosses(stream);
  return (
    <Stack gap={6} component="li" className={classes.stream}>
      <Group gap="sm" justify="space-between">
        <span className={classes.streamName}>{name}</span>
        <ProcessNow report={process} processKey={`transcript/${stream.uuid}`} title={name} />
      </Group>
      {process.state === 'live' && (
        <Text size="sm">
          {delayMs === null
            ? t('transcript.head.noSpeech')
            : t('transcript.head.behind', { delay: delayText(delayMs, locale) })}
        </Text>
      )}
      {process.state === 'waiting' && (
        <Text size="sm" c="dimmed">
          {t('transcript.head.waitingText')}
        </Text>
      )}
      <CaptionsSwitch stream={stream} />
      <ProcessReason report={process} />
      {cause && process.state !== 'off' && <AiReason cause={cause} tone="warn" />}
      {process.state !== 'off' && <TranslationState translations={stream.translations} />}
      {losses.length > 0 && (
        <Text size="sm" c="dimmed">
          {losses.join(' · ')}
        </Text>
      )}
    </Stack>
  );
}

/** As people name it; what is not live yet by how it was chosen. */
export function useStreamLabel({ stream, wanted }: Pick<TranscriptStream, 'stream' | 'wanted'>): string {
  const { t } = useTranslation();
  return stream || wanted || t('segments.newest');
}

/** What is missing in the subtitles or the output, since the server started. */
function useLosses({ failures, dropped, passedSegments, lostSegments }: TranscriptStream): string[] {
  const { t } = useTranslation();
  return [
    failures > 0 ? t('transcript.loss.failures', { count: failures }) : '',
    dropped > 0 ? t('transcript.loss.dropped', { count: dropped }) : '',
    passedSegments > 0 ? t('transcript.loss.passed', { count: passedSegments }) : '',
    lostSegments > 0 ? t('transcript.loss.lost', { count: lostSegments }) : '',
  ].filter((text) => text !== '');
}
