import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconLock } from '../icons.ts';
import { CallError, unlock } from '../watch-calls.ts';
import classes from './watch-player.module.css';

interface PasswordFormProps {
  playback: string;
  /** Why it is asked for now, if the viewer had another way in before. */
  reason: string;
  onToken: (token: string) => void;
}

/** Exchanges the password of the stream for a playback token. */
export function PasswordForm({ playback, reason, onToken }: PasswordFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password') ?? '');
    if (password === '' || isBusy) return;
    setIsBusy(true);
    setProblem('');
    try {
      onToken((await unlock(playback, password)).token);
    } catch (error) {
      const { status = 0, retryAfterSeconds = 0 } = error instanceof CallError ? error : {};
      if (status === 429) setProblem(t('watch.password.busy', { seconds: Math.max(1, retryAfterSeconds) }));
      else setProblem(t(status === 401 || status === 400 ? 'watch.password.wrong' : 'watch.password.failed'));
    } finally {
      setIsBusy(false);
    }
  };
  const message = problem || reason;
  return (
    <form className={classes.note} data-note="password" onSubmit={submit}>
      <IconLock size={28} stroke={1.5} aria-hidden className={classes.mark} />
      <p className={classes.noteTitle}>{t('watch.password.title')}</p>
      <div className={classes.fields}>
        <label className={classes.hidden} htmlFor={id}>
          {t('watch.password.label')}
        </label>
        <input
          id={id}
          className={classes.field}
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={128}
          placeholder={t('watch.password.label')}
          aria-invalid={problem !== '' || undefined}
          aria-describedby={message === '' ? undefined : `${id}-problem`}
        />
        <button type="submit" className={classes.button} aria-disabled={isBusy || undefined}>
          {t('watch.password.watch')}
        </button>
      </div>
      <p id={`${id}-problem`} className={classes.noteText} role="alert">
        {message}
      </p>
    </form>
  );
}
