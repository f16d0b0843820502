import type { WatchedStream } from '@weir/contract';
import { type FormEvent, type SyntheticEvent, useCallback, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../lib/i18n.ts';
import { formatDay } from '../format-time.ts';
import { IconCalendar, IconEye, IconLock } from '../icons.ts';
import { CallError, unlock } from '../watch-calls.ts';
import { endedLinkOf, type Stage } from './stage.ts';
import { StageNote } from './stage-note.tsx';
import classes from './watch-player.module.css';
import { type PlayerHandle, WatchPlayer } from './watch-player.tsx';

interface WatchStageProps {
  watched: WatchedStream;
  stage: Stage;
  token: string;
  title: string;
  onToken: (token: string) => void;
  /** Asks the server what changed. */
  look: () => void;
  onKind: (kind: string | undefined) => void;
  onHandle?: (handle: PlayerHandle) => void;
  autoStart?: boolean;
  startsMuted?: boolean | undefined;
  hasControls?: boolean;
  /** Only shows what surrounds the video. */
  isPreview?: boolean;
}

/** The video, or what is shown in its place. */
export function WatchStage(props: WatchStageProps) {
  const { watched, stage, token, title, onToken, look, onKind, onHandle, isPreview = false } = props;
  const { t } = useTranslation();
  const [wasOpen, setWasOpen] = useState(false);
  const { playback, mode, page, pictures, viewers } = watched;
  const onPlayer = useCallback(
    (handle: PlayerHandle) => {
      const { phase, failure, source } = handle.state;
      onHandle?.(handle);
      onKind(phase === 'playing' ? source?.kind : undefined);
      if (phase === 'playing') setWasOpen(true);
      // The server knows why.
      if (phase === 'failed' || (phase === 'waiting' && failure?.kind !== 'busy')) look();
    },
    [look, onHandle, onKind],
  );
  const isReplay = watched.rewind !== undefined && (stage === 'ended' || stage === 'offline');
  if ((stage === 'play' || isReplay) && !isPreview) {
    return (
      <WatchPlayer
        playback={playback}
        token={token}
        title={title}
        poster={posterOf(watched)}
        autoStart={!isReplay && (props.autoStart ?? true)}
        startsMuted={props.startsMuted}
        hasControls={props.hasControls ?? true}
        isByLink={mode === 'link' || mode === 'token'}
        watched={watched}
        onHandle={onPlayer}
      >
        <div className={classes.badges}>
          <span className={isReplay ? classes.badge : classes.live}>{t(isReplay ? 'watch.replay' : 'watch.live')}</span>
          {viewers !== undefined && viewers > 0 && (
            <span className={classes.badge} title={t('watch.watching', { count: viewers })}>
              <IconEye size={16} aria-hidden />
              <span aria-hidden>{viewers}</span>
              <span className={classes.hidden}>{t('watch.watching', { count: viewers })}</span>
            </span>
          )}
        </div>
      </WatchPlayer>
    );
  }
  const endedLink = endedLinkOf(watched, token);
  const passwordReason = endedLink ? t(`watch.${endedLink}.title`) : wasOpen ? t('watch.password.changed') : '';
  const poster = stage === 'play' ? posterOf(watched) : pictures.poster;
  return (
    <section className={classes.frame} aria-label={t('player.label', { title })} data-stage={stage}>
      {poster !== '' && (
        <img className={stage === 'play' ? classes.video : classes.poster} src={poster} alt="" onError={hideBroken} />
      )}
      {stage === 'password' ? (
        <PasswordForm playback={playback} reason={passwordReason} onToken={onToken} />
      ) : stage === 'countdown' ? (
        <Countdown playback={playback} startsAt={page.startsAt} />
      ) : stage === 'play' ? (
        <div className={classes.badges}>
          <span className={classes.live}>{t('watch.live')}</span>
        </div>
      ) : (
        <StageNote name={stage} />
      )}
    </section>
  );
}

/** Undecodable video has no picture. */
function hideBroken({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  currentTarget.hidden = true;
}

/** Current thumbnail, or the owner's poster. */
function posterOf({ mode, sites, playback, pictures }: WatchedStream): string {
  return mode === 'open' && sites.length === 0 ? `/watch/${playback}/picture.jpg` : pictures.poster;
}

interface CountdownProps {
  playback: string;
  startsAt: string;
}

/** Time until the announced start, in the viewer's zone. */
function Countdown({ playback, startsAt }: CountdownProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const startMs = Date.parse(startsAt);
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((startMs - nowMs) / 1000));
  const two = (number: number) => String(number).padStart(2, '0');
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  const days = Math.floor(seconds / 86_400);
  return (
    <div className={classes.note} data-note="countdown">
      <p className={classes.noteText}>{t('watch.starts', { when: formatDay(startMs, nowMs, locale) })}</p>
      <p className={classes.clock} role="timer">
        {days > 0 ? t('watch.countdown', { days, clock }) : clock}
      </p>
      <p className={classes.noteText}>{t('watch.plays')}</p>
      <a className={classes.button} href={`/watch/${playback}/event.ics`} download="event.ics">
        <IconCalendar size={18} aria-hidden />
        {t('watch.calendar')}
      </a>
    </div>
  );
}

interface PasswordFormProps {
  playback: string;
  /** Why it is asked for now, if the viewer had another way in before. */
  reason: string;
  onToken: (token: string) => void;
}

/** Exchanges the password of the stream for a playback token. */
function PasswordForm({ playback, reason, onToken }: PasswordFormProps) {
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
