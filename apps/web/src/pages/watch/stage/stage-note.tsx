import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlayerNote, Stage } from './stage.ts';
import classes from './watch-player.module.css';

type NoteName = Exclude<
  Stage | PlayerNote | 'unknown',
  'play' | 'none' | 'loading' | 'gesture' | 'countdown' | 'password'
>;

interface StageNoteProps {
  name: NoteName;
  /** Something is still tried. */
  isBusy?: boolean;
  children?: ReactNode;
}

/** Why there is no video, and what helps. */
export function StageNote({ name, isBusy = false, children }: StageNoteProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.note} role={isBusy ? 'status' : 'alert'} data-note={name}>
      {isBusy && <span className={classes.spinner} aria-hidden />}
      <p className={classes.noteTitle}>{t(`watch.${name}.title`)}</p>
      <p className={classes.noteText}>{t(`watch.${name}.text`)}</p>
      {children}
    </div>
  );
}
