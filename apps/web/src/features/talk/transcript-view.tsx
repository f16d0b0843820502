import { ActionIcon, Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconArrowDown, IconPlayerPlay } from '../../components/ui/theme/icons.ts';
import { useStickToBottom } from '../../lib/browser/use-stick-to-bottom.ts';
import { formatClock, formatDateTime } from '../../lib/format.ts';
import { type Row, type Turn, turnText } from './conversation-rows.ts';
import { IconPencil, IconPlayerStop } from './icons.ts';
import { separatorAfter } from './session/join-texts.ts';
import { mustType, problemText } from './session/talk-problem.ts';
import type { OutgoingUtterance } from './session/talk-state.ts';
import classes from './transcript.module.css';

interface TranscriptViewProps {
  rows: readonly Row[];
  /** Caption of the current speech, rendered in `now`. */
  caption: string;
  turns: TurnActions;
  waiting: OutboxActions;
  /** Shown while there are no messages. */
  empty: ReactNode;
  /** Content below the newest message. */
  now: ReactNode;
}

/** Message list that stays at its end until the user scrolls up. */
export function TranscriptView({ rows, caption, turns, waiting, empty, now }: TranscriptViewProps) {
  const { t } = useTranslation();
  const said = rows.findLast((row) => row.kind === 'waiting')?.utterance.id;
  const { box, isBack, onScroll, toNewest } = useStickToBottom([rows, caption], said);
  return (
    <div className={classes.frame}>
      <div
        ref={box}
        className={classes.list}
        onScroll={onScroll}
        role="log"
        aria-label={t('talk.transcript')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it by the keyboard
        tabIndex={0}
      >
        {rows.length === 0 && caption === '' && <div className={classes.empty}>{empty}</div>}
        {rows.map((row) => {
          if (row.kind === 'turn') return <TurnRow key={row.key} turn={row} actions={turns} />;
          if (row.kind === 'waiting')
            return <OutboxRow key={row.utterance.id} utterance={row.utterance} actions={waiting} />;
          return (
            <p key={row.id} className={classes.note}>
              {t(`talk.note.${row.word}`)}
            </p>
          );
        })}
        {now}
      </div>
      {isBack && (
        <Button
          className={classes.newest}
          size="compact-md"
          leftSection={<IconArrowDown size={16} aria-hidden />}
          onClick={toNewest}
        >
          {t('talk.newest')}
        </Button>
      )}
    </div>
  );
}

interface TurnActions {
  readonly nameOf: (turn: Turn) => string;
  /** Audio that plays now; empty = none. */
  readonly playing: string;
  readonly onReplay?: ((asids: readonly string[]) => void) | undefined;
  readonly onStop: () => void;
  /** Audio that failed to play. */
  readonly silent: ReadonlySet<string>;
  readonly onEdit?: ((text: string) => void) | undefined;
  readonly onAskAgain?: ((rid: string) => void) | undefined;
}

function TurnRow({ turn, actions }: { turn: Turn; actions: TurnActions }) {
  const { t } = useTranslation();
  const { nameOf, playing, onReplay, onStop, silent, onEdit, onAskAgain } = actions;
  const { isMine, isAssistant, pieces, problem, rid } = turn;
  const asids = pieces.map(({ asid }) => asid).filter((asid) => asid !== '');
  const isPlaying = asids.includes(playing);
  const name = nameOf(turn);
  return (
    <div className={classes.turn} data-role={isAssistant ? 'assistant' : 'user'} data-mine={isMine || undefined}>
      <div className={classes.head}>
        <span className={classes.name}>{name}</span>
        {isAssistant && turn.name !== '' && <span className={classes.role}>{t('talk.role')}</span>}
        <time className={classes.time} dateTime={turn.at} title={formatDateTime(new Date(turn.at))}>
          {formatClock(new Date(turn.at))}
        </time>
        {asids.length > 0 && onReplay && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={isPlaying ? t('talk.stopPlaying') : t('talk.replay', { name })}
            onClick={() => (isPlaying ? onStop() : onReplay(asids))}
          >
            {isPlaying ? <IconPlayerStop size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
          </ActionIcon>
        )}
        {isMine && onEdit && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t('talk.edit')}
            onClick={() => onEdit(turnText(turn))}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <p className={classes.text} dir="auto">
        {pieces.map(({ mid, text }, index) => (
          <span key={mid}>
            {index > 0 && separatorAfter(pieces[index - 1]?.text ?? '')}
            {text}
          </span>
        ))}
      </p>
      {asids.some((asid) => silent.has(asid)) && <p className={classes.quiet}>{t('talk.noVoice')}</p>}
      {problem && (
        <div className={classes.problem}>
          <span>
            {isAssistant ? `${t('talk.cutOff')} ` : ''}
            {problemText(t, problem)}
          </span>
          {onAskAgain && (
            <Button size="compact-sm" variant="default" onClick={() => onAskAgain(rid)}>
              {t('talk.tryAgain')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface OutboxActions {
  readonly you: string;
  readonly isOffline: boolean;
  /** The session has ended; nothing is sent any more. */
  readonly isOver: boolean;
  readonly onRetry: (id: string) => void;
  readonly onDiscard: (id: string) => void;
  /** Goes to the text input. */
  readonly onType: () => void;
}

function OutboxRow({ utterance, actions }: { utterance: OutgoingUtterance; actions: OutboxActions }) {
  const { t } = useTranslation();
  const { you, isOffline, isOver, onRetry, onDiscard, onType } = actions;
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
          {mustType(problem) && text === '' ? (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                onDiscard(id);
                onType();
              }}
            >
              {t('talk.typeInstead')}
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => onRetry(id)}>
              {t('talk.tryAgain')}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onDiscard(id)}>
            {t('talk.discard')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Caption of the current speech. Not announced, because it is the reader's own and may change. */
export function CaptionRow({ text, you }: { text: string; you: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.turn} data-role="user" data-mine data-waiting data-growing aria-live="off">
      <div className={classes.head}>
        <span className={classes.name}>{you}</span>
      </div>
      <p className={classes.text} dir="auto">
        {text}
      </p>
      <p className={classes.quiet}>{t('talk.microphone.listening')}</p>
    </div>
  );
}
