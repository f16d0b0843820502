import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconArrowDown } from '../../../components/ui/theme/icons.ts';
import type { Row } from './conversation-rows.ts';
import { type OutboxActions, OutboxRow } from './outbox-row.tsx';
import classes from './transcript.module.css';
import { type TurnActions, TurnRow } from './turn-row.tsx';
import { useStickToBottom } from './use-stick-to-bottom.ts';

interface TranscriptViewProps {
  rows: readonly Row[];
  /** What is being said here, in `now`. */
  caption: string;
  turns: TurnActions;
  waiting: OutboxActions;
  /** Shown while nothing was said. */
  empty: ReactNode;
  /** What happens now, below the newest message. */
  now: ReactNode;
}

/** The conversation: it follows what is said until somebody scrolls back. */
export function TranscriptView({ rows, caption: growing, turns, waiting, empty, now }: TranscriptViewProps) {
  const { t } = useTranslation();
  const said = rows.findLast((row) => row.kind === 'waiting')?.utterance.id;
  const { box, isBack, onScroll, toNewest } = useStickToBottom([rows, growing], said);
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
        {rows.length === 0 && growing === '' && <div className={classes.empty}>{empty}</div>}
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
