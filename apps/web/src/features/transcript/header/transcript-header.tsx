import { Stack, Text } from '@mantine/core';
import type { AiAnswerer, TranscriptStream } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AiSettingsLink } from '../../../components/ai/ai-reason.tsx';
import { EmptyState } from '../../../components/ui/feedback/empty-state.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import classes from '../transcript.module.css';
import { AnswererLine } from './answerer-line.tsx';
import { overallOf, overallTones } from './overall-state.ts';
import { StreamState } from './stream-state.tsx';

interface TranscriptHeaderProps {
  isOn: boolean;
  state: { provider: AiAnswerer; streams: readonly TranscriptStream[] };
  /** The buttons that change it. */
  actions: ReactNode;
  children: ReactNode;
}

/** What is transcribed now, by whom, how far behind, and what is wrong. */
export function TranscriptHeader({ isOn, state, actions, children }: TranscriptHeaderProps) {
  const { t } = useTranslation();
  const overall = overallOf(isOn, state);
  const live = state.streams.filter(({ process }) => process.state === 'live').length;
  const word =
    overall === 'live' ? t('transcript.head.liveCount', { count: live }) : t(`transcript.overall.${overall}`);
  const isUnused = !isOn && state.streams.every((stream) => stream.overlay + stream.fix + stream.asr === 0);
  const isUnprepared = isUnused && state.provider.by === 'nobody';
  return (
    <Section
      title={t('transcript.head.title')}
      help={t('transcript.head.help')}
      state={<StatusLabel tone={overallTones[overall]} word={word} tinted />}
    >
      <Stack gap="md">
        {isUnprepared ? (
          <EmptyState title={t('transcript.head.unused')} text={t('transcript.head.unusedText')}>
            <AiSettingsLink />
          </EmptyState>
        ) : (
          <AnswererLine answerer={state.provider} />
        )}
        {isOn && (
          <ul className={classes.streams}>
            {state.streams.map((stream) => (
              <StreamState key={stream.uuid} stream={stream} />
            ))}
          </ul>
        )}
        {isUnused && !isUnprepared && (
          <Text size="sm" c="dimmed">
            {t('transcript.head.offText')}
          </Text>
        )}
        {!isUnused && children}
        {!isUnprepared && actions}
      </Stack>
    </Section>
  );
}
