import type { WatchedStream } from '@weir/contract';
import { type SyntheticEvent, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconEye } from '../icons.ts';
import { Countdown } from './countdown.tsx';
import { PasswordForm } from './password-form.tsx';
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
  if (stage === 'play' && !isPreview) {
    return (
      <WatchPlayer
        playback={playback}
        token={token}
        title={title}
        poster={posterOf(watched)}
        autoStart={props.autoStart ?? true}
        startsMuted={props.startsMuted}
        hasControls={props.hasControls ?? true}
        isByLink={mode === 'link' || mode === 'token'}
        onHandle={onPlayer}
      >
        <div className={classes.badges}>
          <span className={classes.live}>{t('watch.live')}</span>
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

/** There is no picture of a stream whose video cannot be decoded. */
function hideBroken({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  currentTarget.hidden = true;
}

/** What is live now, or the owner's poster. */
function posterOf({ mode, sites, playback, pictures }: WatchedStream): string {
  return mode === 'open' && sites.length === 0 ? `/watch/${playback}/picture.jpg` : pictures.poster;
}
