import { useEffect, useRef, useState } from 'react';
import type { CaptionEvent, CaptionFeed } from '../captions/cue-event-feed.ts';
import { openPlayback } from '../playback/open-playback.ts';
import type { OpenPlayback } from '../playback/playback.ts';
import { PlayerSession } from './player-session.ts';
import type { PlayerSource, SourceKind } from './player-source.ts';
import { idleState, type PlayerState } from './player-state.ts';

interface LivePlayerOptions {
  readonly sources: readonly PlayerSource[];
  /** Starts at once; otherwise `play` does. */
  readonly autoStart: boolean;
  readonly startsMuted: boolean;
  /** Replaces the default playbacks. */
  readonly open?: Record<SourceKind, OpenPlayback> | undefined;
}

interface LivePlayerControl {
  readonly state: PlayerState;
  readonly play: () => void;
  readonly pause: () => void;
  readonly setMuted: (isMuted: boolean) => void;
  readonly chooseQuality: (quality: string | undefined) => void;
  /** Date of the picture of a playback that is not live. */
  readonly dateMs: () => number | undefined;
  readonly seekToDate: (dateMs: number) => void;
  /** Playback position on the stream's clock, given the live edge on the same clock. */
  readonly positionMs: (edgeMs: number) => number | undefined;
  /** Subtitles inside the media. */
  readonly listen: (onEvent: (event: CaptionEvent) => void) => CaptionFeed | undefined;
}

/** Plays in the given element while the component is mounted; new sources restart it. */
export function useLivePlayer(video: HTMLVideoElement | null, wishes: LivePlayerOptions): LivePlayerControl {
  const { sources, autoStart, startsMuted, open = openPlayback } = wishes;
  const [state, setState] = useState<PlayerState>({ ...idleState, isMuted: startsMuted });
  const session = useRef<PlayerSession>(undefined);
  const wanted = sources.map(({ kind, url }) => `${kind} ${url}`).join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: sources are compared by value
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
    chooseQuality: (quality) => session.current?.chooseQuality(quality),
    dateMs: () => session.current?.dateMs(),
    seekToDate: (dateMs) => session.current?.seekToDate(dateMs),
    positionMs: (edgeMs) => session.current?.positionMs(edgeMs),
    listen: (onEvent) => session.current?.listen(onEvent),
  };
}
