import { Button, Loader, PasswordInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CaptionOverlay } from './captions/caption-overlay.tsx';
import { useCaptions } from './captions/use-captions.ts';
import { IconPlayerPlay } from './icons.ts';
import classes from './live-player.module.css';
import type { OpenPlayback } from './playback/playback.ts';
import { PlayerControls } from './player-controls.tsx';
import { type PlayRefusal, UnlockError, unlock, withToken } from './session/play-refusal.ts';
import type { PlayerSource, SourceKind } from './session/player-source.ts';
import type { PlayerState } from './session/player-state.ts';
import { useLivePlayer } from './session/use-live-player.ts';
import { StatisticsPanel } from './statistics-panel.tsx';
import { usePointerActivity } from './use-pointer-activity.ts';

interface LivePlayerProps {
  /** In order of preference, for example WHEP, FLV, HLS; the next one is tried if this browser cannot play one. */
  sources: readonly PlayerSource[];
  /** Name for screen readers. */
  title: string;
  autoStart?: boolean;
  startsMuted?: boolean;
  /** Shows statistics below the video. */
  showsStatistics?: boolean;
  onState?: (state: PlayerState) => void;
  open?: Record<SourceKind, OpenPlayback>;
  /** Shown instead of the video until playback is requested. */
  idle?: ReactNode;
  /** Shown directly below the video, above the statistics. */
  notice?: ReactNode;
  /** Picture until the first frame is shown. */
  poster?: string | undefined;
}

/** Hides the statistics before the start and after a final failure. */
function hasFigures({ phase }: PlayerState): boolean {
  return phase !== 'idle' && phase !== 'failed';
}

/** Player with state messages, controls, subtitles and statistics. */
export function LivePlayer(props: LivePlayerProps) {
  const { sources, title, autoStart = true, startsMuted = true, showsStatistics = true } = props;
  const { onState, open, idle, notice, poster } = props;
  const { t } = useTranslation();
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [token, setToken] = useState('');
  const player = useLivePlayer(video, {
    sources: withTokens(sources, token),
    autoStart: autoStart || token !== '',
    startsMuted,
    open,
  });
  const { state, play, pause, setMuted, chooseQuality, positionMs, listen } = player;
  const isActive = usePointerActivity(frame);
  useEffect(() => onState?.(state), [state, onState]);

  const isRunning = state.phase === 'playing' || state.phase === 'stalled';
  const captions = useCaptions({ source: state.source, isRunning, positionMs, listen });
  return (
    <div className={classes.player}>
      <section
        ref={frame}
        className={classes.frame}
        aria-label={t('player.label', { title })}
        data-phase={state.phase}
        data-active={isActive || !isRunning || undefined}
      >
        {/* biome-ignore lint/a11y/useMediaCaption: CaptionOverlay shows the captions of every protocol */}
        <video
          ref={setVideo}
          className={classes.video}
          playsInline
          poster={poster}
          onClick={isRunning ? pause : undefined}
          onDoubleClick={() => frame.current?.requestFullscreen?.()}
        />
        <CaptionOverlay track={captions.track} lines={captions.lines} />
        <PlayerOverlay state={state} idle={idle} onPlay={play} onUnlocked={setToken} />
        {isRunning && state.isMuted && (
          <button type="button" className={classes.unmute} onClick={() => setMuted(false)}>
            {t('player.unmute')}
          </button>
        )}
        {video && state.phase !== 'idle' && (
          <PlayerControls
            state={state}
            video={video}
            frame={frame}
            onPlay={play}
            onPause={pause}
            onMuted={setMuted}
            onQuality={chooseQuality}
            captions={captions}
          />
        )}
      </section>
      {notice}
      {showsStatistics && hasFigures(state) && <StatisticsPanel state={state} />}
    </div>
  );
}

interface PlayerOverlayProps {
  state: PlayerState;
  idle?: ReactNode;
  onPlay: () => void;
  onUnlocked: (token: string) => void;
}

/** State over the video area while nothing plays, with reason and remedy. */
function PlayerOverlay({ state, idle, onPlay, onUnlocked }: PlayerOverlayProps) {
  const { t } = useTranslation();
  const { phase, failure, source, needsGesture } = state;
  if (phase === 'playing') return null;
  if (phase === 'failed' && failure?.refusal && source) {
    return (
      <div className={classes.overlay} role="alert" data-dim>
        <RefusedNotice refusal={failure.refusal} source={source} onAgain={onPlay} onUnlocked={onUnlocked} />
      </div>
    );
  }
  if (phase === 'stalled') {
    return (
      <div className={classes.overlay} role="status">
        <Loader size="sm" color="gray.0" aria-hidden />
        <p className={classes.text}>{t('player.stalled')}</p>
      </div>
    );
  }
  if (phase === 'loading') {
    return (
      <div className={classes.overlay} role="status">
        <Loader size="sm" color="gray.0" aria-hidden />
        <p className={classes.text}>{t('player.loading')}</p>
      </div>
    );
  }
  if (failure && (phase === 'waiting' || phase === 'failed')) {
    return (
      <div className={classes.overlay} role={phase === 'failed' ? 'alert' : 'status'} data-dim>
        {phase === 'waiting' && <Loader size="sm" color="gray.0" aria-hidden />}
        <p className={classes.title}>{t(`player.failureTitle.${failure.kind}`)}</p>
        <p className={classes.text}>{t(`player.failureText.${failure.kind}`)}</p>
        {failure.detail && <p className={classes.detail}>{t('player.said', { detail: failure.detail })}</p>}
        {phase === 'failed' && (
          <Button size="xs" variant="white" onClick={onPlay}>
            {t('player.again')}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className={classes.overlay} data-dim={needsGesture || undefined}>
      {phase === 'idle' && idle}
      <button type="button" className={classes.play} onClick={onPlay} aria-label={t('player.play')}>
        <IconPlayerPlay size={36} aria-hidden />
      </button>
      {needsGesture && <p className={classes.text}>{t('player.needsGesture')}</p>}
      {phase === 'ended' && <p className={classes.text}>{t('player.finished')}</p>}
    </div>
  );
}

interface RefusedNoticeProps {
  refusal: PlayRefusal;
  source: PlayerSource;
  onAgain: () => void;
  /** The password was right: plays with its token. */
  onUnlocked: (token: string) => void;
}

/** Why the owner's rule keeps this viewer out, and what helps: the password, a new link, another try. */
function RefusedNotice({ refusal, source, onAgain, onUnlocked }: RefusedNoticeProps) {
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
function withTokens(sources: readonly PlayerSource[], token: string): readonly PlayerSource[] {
  return token === '' ? sources : sources.map((source) => withToken(source, token));
}
