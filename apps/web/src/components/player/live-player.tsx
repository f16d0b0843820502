import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CaptionOverlay } from './captions/caption-overlay.tsx';
import { useCaptions } from './captions/use-captions.ts';
import classes from './live-player.module.css';
import type { OpenPlayback } from './playback/playback.ts';
import { PlayerControls } from './player-controls.tsx';
import { PlayerOverlay } from './player-overlay.tsx';
import type { PlayerSource, SourceKind } from './session/player-source.ts';
import type { PlayerState } from './session/player-state.ts';
import { useLivePlayer } from './session/use-live-player.ts';
import { StatisticsPanel } from './statistics-panel.tsx';

const restMs = 2500;

/** Whether a pointer moved over an element a moment ago. */
function usePointerActivity(element: RefObject<HTMLElement | null>): boolean {
  const [isActive, setIsActive] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => setIsActive(false);
    const wake = () => {
      setIsActive(true);
      clearTimeout(timer);
      timer = setTimeout(rest, restMs);
    };
    target.addEventListener('pointermove', wake);
    target.addEventListener('pointerdown', wake);
    target.addEventListener('pointerleave', rest);
    return () => {
      clearTimeout(timer);
      target.removeEventListener('pointermove', wake);
      target.removeEventListener('pointerdown', wake);
      target.removeEventListener('pointerleave', rest);
    };
  }, [element]);
  return isActive;
}

interface LivePlayerProps {
  /** In order of preference: the next is tried where one does not work in this browser, for example WHEP, FLV, HLS. */
  sources: readonly PlayerSource[];
  /** What plays, for those who cannot see it. */
  title: string;
  autoStart?: boolean;
  startsMuted?: boolean;
  /** The figures below the picture. */
  showsStatistics?: boolean;
  onState?: (state: PlayerState) => void;
  open?: Record<SourceKind, OpenPlayback>;
  /** Stands in the place of the picture while nothing was asked for. */
  idle?: ReactNode;
}

/** Before anything was asked for, and when nothing will come, there is nothing to measure. */
function hasFigures({ phase }: PlayerState): boolean {
  return phase !== 'idle' && phase !== 'failed';
}

/** The one player: picture, state in words, controls and figures. */
export function LivePlayer(props: LivePlayerProps) {
  const { sources, title, autoStart = true, startsMuted = true, showsStatistics = true, onState, open, idle } = props;
  const { t } = useTranslation();
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const player = useLivePlayer(video, { sources, autoStart, startsMuted, open });
  const { state, play, pause, setMuted, positionMs, listen } = player;
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
        {/* biome-ignore lint/a11y/useMediaCaption: what is said is drawn over the picture, in the same way for every protocol */}
        <video
          ref={setVideo}
          className={classes.video}
          playsInline
          onClick={isRunning ? pause : undefined}
          onDoubleClick={() => frame.current?.requestFullscreen?.()}
        />
        <CaptionOverlay track={captions.track} lines={captions.lines} />
        <PlayerOverlay state={state} idle={idle} onPlay={play} />
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
            captions={captions}
          />
        )}
      </section>
      {showsStatistics && hasFigures(state) && <StatisticsPanel state={state} />}
    </div>
  );
}
