import type { Fit } from './player-kind.ts';

type TrackState = 'none' | 'direct' | 'converted' | 'unavailable';

/** What viewers with this kind of player get, or would get if there were any. */
export interface RenditionState {
  readonly audio: TrackState;
  readonly video: TrackState;
  /** Whether a child works for it now. */
  readonly isRunning: boolean;
  /** Why something is unavailable, in words; empty when nothing is. */
  readonly reason: string;
}

export function stateOf(fit: Fit, failure: string): TrackState {
  if (fit !== 'convert') return fit;
  return failure === '' ? 'converted' : 'unavailable';
}
