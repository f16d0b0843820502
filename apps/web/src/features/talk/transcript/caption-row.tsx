import { useTranslation } from 'react-i18next';
import classes from './transcript.module.css';

/** What is understood of something that is still being said here. Not read aloud: it is the reader's own, and may change. */
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
