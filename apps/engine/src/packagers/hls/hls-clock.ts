import { WatchClock } from '@weir/plane';

/** Clocks of HLS: the date for playlists, and a monotonic clock for waiting. */
export interface HlsClock {
  dateMs(): number;
  elapsedMs(): number;
}

/** Clock for periodic checks. While this process is suspended, sessions and waiting requests do not age. */
export function systemClock(lookMs: number): HlsClock {
  const watched = new WatchClock(2 * lookMs);
  return { dateMs: () => Date.now(), elapsedMs: () => watched.now() };
}
