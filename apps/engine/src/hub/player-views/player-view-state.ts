import type { Fit } from './player-kind.ts';

type TrackState = 'none' | 'direct' | 'converted' | 'unavailable';

/** Media for viewers with this kind of player, present or not. */
export interface PlayerViewState {
  readonly audio: TrackState;
  readonly video: TrackState;
  /** True while a child converts. */
  readonly isRunning: boolean;
  /** Why something is unavailable, in words; empty when nothing is. */
  readonly reason: string;
}

interface Converting {
  readonly failure: string;
  readonly pid: number | undefined;
}

interface Tracks<T> {
  readonly video: T;
  readonly audio: T;
}

/** `absent`: why nothing can be converted at all; empty where it can. */
export function describeView(
  fits: Tracks<Fit>,
  conversions: Tracks<Converting | undefined>,
  absent: string,
): PlayerViewState {
  const failureOf = (kind: keyof Tracks<Fit>) => (fits[kind] === 'convert' ? conversions[kind]?.failure || absent : '');
  const failures = { video: failureOf('video'), audio: failureOf('audio') };
  return {
    video: trackStateOf(fits.video, failures.video),
    audio: trackStateOf(fits.audio, failures.audio),
    isRunning: conversions.video?.pid !== undefined || conversions.audio?.pid !== undefined,
    reason: failures.video || failures.audio,
  };
}

function trackStateOf(fit: Fit, failure: string): TrackState {
  if (fit !== 'convert') return fit;
  return failure === '' ? 'converted' : 'unavailable';
}
