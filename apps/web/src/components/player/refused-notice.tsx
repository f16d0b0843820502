import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './live-player.module.css';
import { type PlayRefusal, UnlockError, unlock, withToken } from './session/play-refusal.ts';
import type { PlayerSource } from './session/player-source.ts';

interface RefusedNoticeProps {
  refusal: PlayRefusal;
  source: PlayerSource;
  onAgain: () => void;
  /** The password was right: plays with its token. */
  onUnlocked: (token: string) => void;
}

/** Why the owner's rule keeps this viewer out, and what helps: the password, a new link, another try. */
export function RefusedNotice({ refusal, source, onAgain, onUnlocked }: RefusedNoticeProps) {
  const { t } = useTranslation();
  const { reason, playback } = refusal;
  const asksPassword = playback !== undefined && reason === 'no-token';
  return (
    <>
      <p className={classes.title}>{asksPassword ? t('player.password.title') : t(`player.refusal.${reason}.title`)}</p>
      <p className={classes.text}>
        {playback !== undefined ? t('player.password.text') : t(`player.refusal.${reason}.text`)}
      </p>
      {playback === undefined ? (
        <Button size="xs" variant="white" onClick={onAgain}>
          {t('player.again')}
        </Button>
      ) : (
        <PasswordForm source={source} playback={playback} onUnlocked={onUnlocked} />
      )}
    </>
  );
}

interface PasswordFormProps {
  source: PlayerSource;
  playback: string;
  onUnlocked: (token: string) => void;
}

function PasswordForm({ source, playback, onUnlocked }: PasswordFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<'wrong' | 'tooMany' | 'unreachable'>();
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (password === '' || isBusy) return;
    setIsBusy(true);
    try {
      onUnlocked(await unlock(source, playback, password));
    } catch (error) {
      const status = error instanceof UnlockError ? error.status : undefined;
      setProblem(status === 401 ? 'wrong' : status === 429 ? 'tooMany' : 'unreachable');
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <form className={classes.password} onSubmit={submit}>
      <label htmlFor={id} className={classes.text}>
        {t('player.password.label')}
      </label>
      <div className={classes.passwordRow}>
        <PasswordInput
          id={id}
          className={classes.passwordField}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          aria-invalid={problem !== undefined}
        />
        <Button type="submit" loading={isBusy}>
          {t('player.password.watch')}
        </Button>
      </div>
      <p role="alert" className={classes.text}>
        {problem && t(`player.password.${problem}`)}
      </p>
    </form>
  );
}

/** Sources with the token that a password was exchanged for. */
export function withTokens(sources: readonly PlayerSource[], token: string): readonly PlayerSource[] {
  return token === '' ? sources : sources.map((source) => withToken(source, token));
}
