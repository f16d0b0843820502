import type { AiAnswerer, TranscriptStream } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AiTaskHeader } from '../../../components/ai-task/ai-task-header.tsx';
import classes from '../transcript.module.css';
import { overallTones, transcriptOverallState } from './overall-state.ts';
import { StreamState } from './stream-state.tsx';
import { TranslatorLine } from './translation-state.tsx';

interface TranscriptHeaderProps {
  isOn: boolean;
  state: { provider: AiAnswerer; translator: AiAnswerer | null; streams: readonly TranscriptStream[] };
  /** The button that changes it. */
  action: ReactNode;
  children: ReactNode;
}

/** What is transcribed now, by whom, how far behind, and what is wrong. */
export function TranscriptHeader({ isOn, state, action, children }: TranscriptHeaderProps) {
  const { t } = useTranslation();
  const overall = transcriptOverallState(isOn, state);
  const live = state.streams.filter(({ process }) => process.state === 'live').length;
  return (
    <AiTaskHeader
      kind="transcript"
      tone={overallTones[overall]}
      word={overall === 'live' ? t('transcript.head.liveCount', { count: live }) : t(`transcript.overall.${overall}`)}
      isUnused={!isOn && state.streams.every((stream) => stream.overlay + stream.fix + stream.asr === 0)}
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
      action={action}
    >
      {children}
    </AiTaskHeader>
  );
}
