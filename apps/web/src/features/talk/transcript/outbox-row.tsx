import { Button, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../../lib/format.ts';
import { problemText } from '../problem-text.ts';
import type { OutgoingUtterance } from '../session/talk-state.ts';
import classes from './transcript.module.css';

export interface OutboxActions {
  readonly you: string;
  readonly isOffline: boolean;
  /** Nothing will be sent any more. */
  readonly isOver: boolean;
  readonly onRetry: (id: string) => void;
  readonly onDiscard: (id: string) => void;
}

/** Something said here that is not in the conversation yet. */
export function OutboxRow({ utterance, actions }: { utterance: OutgoingUtterance; actions: OutboxActions }) {
  const { t } = useTranslation();
  const { you, isOffline, isOver, onRetry, onDiscard } = actions;
  const { id, text, caption, at, milliseconds, state, problem } = utterance;
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const isBusy = !isOver && (state === 'sending' || state === 'queued');
  const busyWord = isOffline ? t('talk.willSend') : text === '' ? t('talk.hearing') : t('talk.sending');
  return (
    <div className={classes.turn} data-role="user" data-mine data-waiting>
      <div className={classes.head}>
        <span className={classes.name}>{you}</span>
        <time className={classes.time} dateTime={at}>
          {formatClock(new Date(at))}
        </time>
      </div>
      <p className={classes.text} dir="auto">
        {text || caption || t('talk.voiceMessage', { seconds })}
      </p>
      {isBusy && (
        <p className={classes.quiet}>
          {!isOffline && <Loader size={12} aria-hidden />} {busyWord}
        </p>
      )}
      {isOver && state !== 'sent' && <p className={classes.quiet}>{t('talk.notSent')}</p>}
      {problem && !isOver && (
        <div className={classes.problem}>
          <span>{problemText(t, problem)}</span>
          <Button size="compact-sm" variant="default" onClick={() => onRetry(id)}>
            {t('talk.tryAgain')}
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onDiscard(id)}>
            {t('talk.discard')}
          </Button>
        </div>
      )}
    </div>
  );
}
