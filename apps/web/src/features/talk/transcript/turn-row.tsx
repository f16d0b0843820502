import { ActionIcon, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconPlayerPlay } from '../../../components/ui/theme/icons.ts';
import { formatClock, formatDateTime } from '../../../lib/format.ts';
import { IconPencil, IconPlayerStop } from '../icons.ts';
import { problemText } from '../problem-text.ts';
import { separatorAfter } from '../session/join-texts.ts';
import { type Turn, turnText } from './conversation-rows.ts';
import classes from './transcript.module.css';

export interface TurnActions {
  readonly nameOf: (turn: Turn) => string;
  /** Audio that plays now; empty: none. */
  readonly playing: string;
  readonly onReplay?: ((asids: readonly string[]) => void) | undefined;
  readonly onStop: () => void;
  /** Audio that could not be played. */
  readonly silent: ReadonlySet<string>;
  readonly onEdit?: ((text: string) => void) | undefined;
  readonly onAskAgain?: ((rid: string) => void) | undefined;
}

/** What somebody said, with what can be done about it. */
export function TurnRow({ turn, actions }: { turn: Turn; actions: TurnActions }) {
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
