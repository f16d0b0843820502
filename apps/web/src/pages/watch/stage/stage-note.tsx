import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconClock, IconLock } from '../icons.ts';
import type { PlayerNote, Stage } from './stage.ts';
import classes from './watch-player.module.css';

type NoteName = Exclude<
  Stage | PlayerNote | 'unknown',
  'play' | 'none' | 'loading' | 'gesture' | 'countdown' | 'password'
>;

interface StageNoteProps {
  name: NoteName;
  /** True while the page is still trying. */
  isBusy?: boolean;
  children?: ReactNode;
}

/** Notes that need no more than time, and those of players. All others refuse the viewer. */
const inTime: readonly NoteName[] = ['offline', 'soon', 'notYet'];
const plain: readonly NoteName[] = ['ended', 'reconnecting', 'full', 'unsupported', 'unknown'];

/** Why there is no video, and what helps. */
export function StageNote({ name, isBusy = false, children }: StageNoteProps) {
  const { t } = useTranslation();
  const Mark = inTime.includes(name) ? IconClock : IconLock;
  return (
    <div className={classes.note} role={isBusy ? 'status' : 'alert'} data-note={name}>
      {isBusy && <span className={classes.spinner} aria-hidden />}
      {!isBusy && !plain.includes(name) && <Mark size={28} stroke={1.5} aria-hidden className={classes.mark} />}
      <p className={classes.noteTitle}>{t(`watch.${name}.title`)}</p>
      <p className={classes.noteText}>{t(`watch.${name}.text`)}</p>
      {children}
    </div>
  );
}
