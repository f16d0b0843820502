import type { WatchedStream } from '@weir/contract';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CaptionOverlay } from '../../../components/player/captions/caption-overlay.tsx';
import { useCaptions } from '../../../components/player/captions/use-captions.ts';
import { IconPlayerPlay, IconVolumeOff } from '../../../components/player/icons.ts';
import { openHls } from '../../../components/player/playback/hls-playback.ts';
import {
  type OpenPlayback,
  PlaybackError,
  type PlaybackRequest,
} from '../../../components/player/playback/playback.ts';
import { openWhepWith } from '../../../components/player/playback/whep-playback.ts';
import { PlayerControls } from '../../../components/player/player-controls.tsx';
import { readVolume, saveVolume } from '../../../components/player/remembered-volume.ts';
import { rewindParts } from '../../../components/player/rewind-bar.tsx';
import type { PlayerSource, SourceKind } from '../../../components/player/session/player-source.ts';
import type { PlayerState } from '../../../components/player/session/player-state.ts';
import { useLivePlayer } from '../../../components/player/session/use-live-player.ts';
import { usePointerActivity } from '../../../components/player/use-pointer-activity.ts';
import { noteOf, type PlayerNote } from './stage.ts';
import { StageNote } from './stage-note.tsx';
import { useRewind } from './use-rewind.ts';
import classes from './watch-player.module.css';

/** Networks that let no UDP through are found out quickly, because HLS works on them. */
const connectWithinMs = 3000;

const openWhep: OpenPlayback = (request) => openWhepWith(request, { connectWithinMs });

/** Falls back to plain HLS, because the low-latency playlist is missing where that is switched off. */
const openAnyHls: OpenPlayback = (request) => {
  const { onFailure } = request.events;
  const isFirst = request.url.includes('.ll.m3u8');
  return openHls({
    ...request,
    events: {
      onFailure: (failure) => onFailure(isFirst && failure.kind === 'not-found' ? { kind: 'unsupported' } : failure),
    },
  });
};

const openNone: OpenPlayback = async () => {
  throw new PlaybackError({ kind: 'unsupported' });
};

const open: Record<SourceKind, OpenPlayback> = {
  whep: openWhep,
  hls: openAnyHls,
  flv: openNone,
  ts: openNone,
  file: openNone,
};

/** Ends the address of what was live a while ago. */
const pastEnd = '.dvr.m3u8';

function sourcesOf(playback: string, token: string, isBack: boolean): PlayerSource[] {
  const query = token === '' ? '' : `token=${encodeURIComponent(token)}`;
  const { origin } = window.location;
  if (isBack) return [{ kind: 'hls', url: `${origin}/play/${playback}${pastEnd}${query && `?${query}`}` }];
  return [
    { kind: 'whep', url: `${origin}/rtc/v1/whep/?app=play&stream=${playback}${query && `&${query}`}` },
    { kind: 'hls', url: `${origin}/play/${playback}.ll.m3u8${query && `?${query}`}` },
    { kind: 'hls', url: `${origin}/play/${playback}.m3u8${query && `?${query}`}` },
  ];
}

export interface PlayerHandle {
  readonly state: PlayerState;
  readonly video: HTMLVideoElement;
  readonly play: () => void;
  readonly pause: () => void;
  readonly setMuted: (isMuted: boolean) => void;
}

interface WatchPlayerProps {
  playback: string;
  token: string;
  title: string;
  poster: string;
  autoStart: boolean;
  /** Undefined: as this viewer left it. */
  startsMuted: boolean | undefined;
  hasControls: boolean;
  /** A refused viewer came by a link or password. */
  isByLink: boolean;
  watched: WatchedStream;
  onHandle: (handle: PlayerHandle) => void;
  /** Badges in the corner. */
  children: ReactNode;
}

/** The video of a stream by its playback id: WebRTC, then low-latency HLS, then HLS. */
export function WatchPlayer(props: WatchPlayerProps) {
  const { playback, token, title, poster, autoStart, hasControls, isByLink, onHandle, children } = props;
  const { t } = useTranslation();
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const frame = useRef<HTMLElement>(null);
  const [volume] = useState(readVolume);
  const rewinding = useRewind(props.watched);
  const { isBack, hasGoneBack, open: openPast } = rewinding;
  const sources = useMemo(() => sourcesOf(playback, token, isBack), [playback, token, isBack]);
  const openAll = useMemo(
    () => ({
      ...open,
      hls: (request: PlaybackRequest) => (request.url.includes(pastEnd) ? openPast(request) : open.hls(request)),
    }),
    [openPast],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next playback begins as the last one was left
  const startsMuted = useMemo(() => video?.muted ?? props.startsMuted ?? volume.isMuted, [isBack]);
  const player = useLivePlayer(video, {
    sources,
    autoStart: autoStart || hasGoneBack,
    startsMuted,
    open: openAll,
  });
  const rewind = rewinding.controlOf(player, video);
  const { state, pause, setMuted, chooseQuality, positionMs, listen } = player;
  const play = () => {
    // A replay that was seen to its end begins anew.
    if (rewinding.isOver) rewind?.seek(rewind.fromMs);
    player.play();
  };
  const isActive = usePointerActivity(frame);
  const isRunning = state.phase === 'playing' || state.phase === 'stalled';
  const captions = useCaptions({ source: state.source, isRunning, positionMs, listen });
  const note = noteOf(state, isByLink);
  const mute = (isMuted: boolean) => {
    setMuted(isMuted);
    if (video) saveVolume({ level: video.volume || 1, isMuted });
  };
  useEffect(() => {
    if (video) video.volume = volume.level;
  }, [video, volume]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions act on the same player always
  useEffect(() => {
    if (video) onHandle({ state, video, play, pause, setMuted });
  }, [video, state, onHandle]);

  return (
    <section
      ref={frame}
      className={classes.frame}
      aria-label={t('player.label', { title })}
      data-phase={state.phase}
      data-source={state.source?.kind}
      data-back={hasGoneBack || undefined}
      data-active={isActive || !isRunning || undefined}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: CaptionOverlay shows the captions of every protocol */}
      <video
        ref={setVideo}
        className={classes.video}
        playsInline
        poster={poster || undefined}
        onClick={hasControls && isRunning ? pause : undefined}
        onDoubleClick={() => frame.current?.requestFullscreen?.().catch(() => undefined)}
      />
      <CaptionOverlay track={captions.track} lines={captions.lines} />
      {children}
      <Note note={note} onPlay={play} isStill={note === 'none' && !isRunning && state.phase !== 'loading'} />
      {isRunning && state.isMuted && hasControls && (
        <button type="button" className={classes.unmute} onClick={() => mute(false)}>
          <IconVolumeOff size={18} aria-hidden />
          {t('watch.unmute')}
        </button>
      )}
      {hasControls && video && state.phase !== 'failed' && (
        <PlayerControls
          state={state}
          video={video}
          frame={frame}
          onPlay={play}
          onPause={pause}
          onMuted={mute}
          onQuality={chooseQuality}
          captions={captions}
          rewind={rewind && rewindParts(rewind)}
        />
      )}
    </section>
  );
}

interface NoteProps {
  note: PlayerNote;
  /** True if the picture stands still until the viewer presses Play. */
  isStill: boolean;
  onPlay: () => void;
}

function Note({ note, isStill, onPlay }: NoteProps) {
  const { t } = useTranslation();
  if (note === 'gesture' || isStill) {
    return (
      <div className={classes.center}>
        <button type="button" className={classes.play} aria-label={t('watch.play')} onClick={onPlay}>
          <IconPlayerPlay size={34} aria-hidden />
        </button>
      </div>
    );
  }
  if (note === 'none') return null;
  if (note === 'loading') {
    return (
      <div className={classes.center} role="status">
        <span className={classes.spinner} aria-hidden />
        <span className={classes.hidden}>{t('watch.loading')}</span>
      </div>
    );
  }
  const mayRetry = note === 'devices' || note === 'refused' || note === 'unsupported';
  return (
    <StageNote name={note} isBusy={!mayRetry}>
      {mayRetry && (
        <button type="button" className={classes.button} onClick={onPlay}>
          {t('watch.retry')}
        </button>
      )}
    </StageNote>
  );
}
