import { useEffect, useRef, useState } from 'react';
import type { CaptionEvent, CaptionFeed } from '../captions/cue-feed.ts';
import { openPlayback } from '../playback/open-playback.ts';
import type { OpenPlayback } from '../playback/playback.ts';
import { PlayerSession } from './player-session.ts';
import type { PlayerSource, SourceKind } from './player-source.ts';
import { idleState, type PlayerState } from './player-state.ts';

interface LivePlayerOptions {
  readonly sources: readonly PlayerSource[];
  /** Opens at once; else when `play` is called. */
  readonly autoStart: boolean;
  readonly startsMuted: boolean;
  /** Ways of playing other than the usual ones. */
  readonly open?: Record<SourceKind, OpenPlayback> | undefined;
}

interface LivePlayerControl {
  readonly state: PlayerState;
  readonly play: () => void;
  readonly pause: () => void;
  readonly setMuted: (isMuted: boolean) => void;
  /** Where the picture is on the stream's clock, when the newest there is of the stream is at `edgeMs`. */
  readonly positionMs: (edgeMs: number) => number | undefined;
  /** Subtitles that come with what plays. */
  readonly listen: (onEvent: (event: CaptionEvent) => void) => CaptionFeed | undefined;
}

/** Plays in the given element for as long as the component stands; other sources begin anew. */
export function useLivePlayer(video: HTMLVideoElement | null, wishes: LivePlayerOptions): LivePlayerControl {
  const { sources, autoStart, startsMuted, open = openPlayback } = wishes;
  const [state, setState] = useState<PlayerState>({ ...idleState, isMuted: startsMuted });
  const session = useRef<PlayerSession>(undefined);
  const wanted = sources.map(({ kind, url }) => `${kind} ${url}`).join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal list of sources is the same list
  useEffect(() => {
    if (!video) return;
    const current = new PlayerSession({ video, sources, open, isMuted: startsMuted, onChange: setState });
    session.current = current;
    if (autoStart) current.play();
    return () => {
      session.current = undefined;
      current.close();
      setState({ ...idleState, isMuted: startsMuted });
    };
  }, [video, wanted, open, autoStart, startsMuted]);

  return {
    state,
    play: () => session.current?.play(),
    pause: () => session.current?.pause(),
    setMuted: (isMuted) => session.current?.setMuted(isMuted),
    positionMs: (edgeMs) => session.current?.positionMs(edgeMs),
    listen: (onEvent) => session.current?.listen(onEvent),
  };
}
