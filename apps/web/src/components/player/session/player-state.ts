import type { PlaybackMetrics } from '../playback/playback.ts';
import type { PlayerFailure } from './player-failure.ts';
import type { PlayerSource } from './player-source.ts';

/**
 * `waiting`: the stream is not there, we ask again by ourselves. `stalled`: it plays, but nothing arrives at the
 * moment. `failed`: asking again would not help.
 */
type PlayerPhase = 'idle' | 'loading' | 'playing' | 'paused' | 'stalled' | 'waiting' | 'ended' | 'failed';

export interface PlayerStatistics extends Omit<PlaybackMetrics, 'progress'> {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fps?: number | undefined;
  /** Since the player was opened. */
  readonly stalls: number;
  readonly droppedFrames: number;
  /** From asking to the first picture. */
  readonly firstFrameMs?: number | undefined;
}

export interface PlayerState {
  readonly phase: PlayerPhase;
  /** Why it waits or has failed. */
  readonly failure?: PlayerFailure | undefined;
  /** Which of the sources is being played. */
  readonly source?: PlayerSource | undefined;
  readonly isMuted: boolean;
  /** The browser wants a touch of the page before it plays at all. */
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
