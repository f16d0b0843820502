import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AiAnswerer, type TranscriptStream, type TranscriptTranslation, transcriptApi } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languagesQuery } from '../../components/ai/ai-queries.ts';
import { AiReason } from '../../components/ai/ai-reason.tsx';
import { AiTaskHeader } from '../../components/ai-task/ai-task-header.tsx';
import { formatDelay } from '../../components/figures/format-figures.ts';
import { ProcessReason } from '../../components/processes/process-reason.tsx';
import { ProcessStatus } from '../../components/processes/process-status.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { useEngineLacks } from '../../lib/queries/use-engine-lacks.ts';
import classes from './transcript.module.css';
import { transcriptKey } from './transcript-queries.ts';

interface TranscriptHeaderProps {
  isOn: boolean;
  state: { provider: AiAnswerer; translator: AiAnswerer | null; streams: readonly TranscriptStream[] };
  isUnused: boolean;
  children: ReactNode;
}

/** Provider, and what happens to each stream. */
export function TranscriptHeader({ isOn, isUnused, state, children }: TranscriptHeaderProps) {
  return (
    <AiTaskHeader
      kind="transcript"
      isUnused={isUnused}
      provider={state.provider}
      news={
        isOn && (
          <>
            <TranslatorLine translator={state.translator} />
            <ul className={classes.streams}>
              {state.streams.map((stream) => (
                <StreamState key={stream.uuid} stream={stream} />
              ))}
            </ul>
          </>
        )
      }
    >
      {children}
    </AiTaskHeader>
  );
}

function StreamState({ stream }: { stream: TranscriptStream }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { process, delayMs, cause } = stream;
  const name = useStreamLabel(stream);
  const losses = useLosses(stream);
  return (
    <Stack gap={6} component="li" className={classes.stream}>
      <Group gap="sm" justify="space-between">
        <span className={classes.streamName}>{name}</span>
        <ProcessStatus report={process} processKey={`transcript/${stream.uuid}`} title={name} />
      </Group>
      {process.state === 'live' && (
        <Text size="sm">
          {delayMs === null
            ? t('transcript.head.noSpeech')
            : t('transcript.head.behind', { delay: formatDelay(delayMs, locale) })}
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

/** Name of the stream; before it is live, the name it was chosen by. */
export function useStreamLabel({ stream, wanted }: Pick<TranscriptStream, 'stream' | 'wanted'>): string {
  const { t } = useTranslation();
  return stream || wanted || t('segments.newest');
}

/** Gaps in the subtitles or the output since the server started. */
function useLosses({ failures, dropped, passedSegments, lostSegments }: TranscriptStream): string[] {
  const { t } = useTranslation();
  return [
    failures > 0 ? t('transcript.loss.failures', { count: failures }) : '',
    dropped > 0 ? t('transcript.loss.dropped', { count: dropped }) : '',
    passedSegments > 0 ? t('transcript.loss.passed', { count: passedSegments }) : '',
    lostSegments > 0 ? t('transcript.loss.lost', { count: lostSegments }) : '',
  ].filter((text) => text !== '');
}

/** Offers subtitles in the stream's own players. Saved at once, because no typed text can be lost. */
function CaptionsSwitch({ stream: { uuid, captions } }: { stream: TranscriptStream }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (enabled: boolean) => client.call(transcriptApi.captions, { uuid, enabled }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: transcriptKey });
      notify.success(t('helper.setOk'));
    },
  });
  if (useEngineLacks('subtitles')) {
    return <Notice tone="info" title={t('transcript.captions.unsupported')} />;
  }
  return (
    <Checkbox
      label={t('transcript.captions.label')}
      description={t('transcript.captions.help')}
      checked={change.isPending ? change.variables : captions}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}

/** Delay, gaps and problems of each translation. The original is not affected. */
function TranslationState({ translations }: { translations: readonly TranscriptTranslation[] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data } = useQuery({ ...languagesQuery, enabled: translations.length > 0 });
  if (translations.length === 0) return null;
  const nameOf = (code: string) => data?.languages.find((language) => language.code === code)?.name ?? code;
  const failing = translations.find(({ cause }) => cause !== null);
  return (
    <>
      {translations.map(({ language, delayMs, skipped, cause }) => {
        const values = { language: nameOf(language), delay: formatDelay(delayMs ?? undefined, locale) };
        const state = cause ? 'paused' : delayMs === null ? 'waiting' : 'behind';
        const left = skipped > 0 ? ` ${t('transcript.translations.skipped', { count: skipped })}` : '';
        return (
          <Text key={language} size="sm" c="dimmed">
            {t(`transcript.translations.${state}`, values)}
            {left}
          </Text>
        );
      })}
      {failing?.cause && (
        <AiReason cause={failing.cause} tone="warn">
          <p>{t('transcript.translations.originalContinues')}</p>
        </AiReason>
      )}
    </>
  );
}

/** Translator, and the data it receives. */
function TranslatorLine({ translator }: { translator: AiAnswerer | null }) {
  const { t } = useTranslation();
  if (!translator) return null;
  const { by, host, cause } = translator;
  if (by !== 'nobody') return <Text size="sm">{t('transcript.translations.by', { host })}</Text>;
  return (
    <AiReason cause={cause ?? 'no-provider'} tone="warn">
      <p>{t('transcript.translations.needsChat')}</p>
    </AiReason>
  );
}
