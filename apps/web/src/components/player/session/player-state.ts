import type { PlaybackMetrics } from '../playback/playback.ts';
import type { PlayerFailure } from './player-failure.ts';
import type { PlayerSource } from './player-source.ts';

/** `waiting`: not live yet, retrying. `stalled`: playing, but no media arrives. `failed`: retrying cannot help. */
type PlayerPhase = 'idle' | 'loading' | 'playing' | 'paused' | 'stalled' | 'waiting' | 'ended' | 'failed';

export interface PlayerStatistics extends Omit<PlaybackMetrics, 'progress'> {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fps?: number | undefined;
  /** Since the player was opened. */
  readonly stalls: number;
  readonly droppedFrames: number;
  /** Time from the request to the first frame. */
  readonly firstFrameMs?: number | undefined;
}

export interface PlayerState {
  readonly phase: PlayerPhase;
  readonly failure?: PlayerFailure | undefined;
  readonly source?: PlayerSource | undefined;
  readonly isMuted: boolean;
  /** Quality that the viewer chose. */
  readonly quality?: string | undefined;
  /** The browser requires a user gesture before playback. */
  readonly needsGesture: boolean;
  readonly statistics: PlayerStatistics;
}

export const noStatistics: PlayerStatistics = { stalls: 0, droppedFrames: 0 };
export const idleState: PlayerState = {
  phase: 'idle',
  isMuted: true,
  needsGesture: false,
  statistics: noStatistics,
};
