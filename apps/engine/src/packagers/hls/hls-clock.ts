import { WatchClock } from '@weir/plane';

/** Time as HLS needs it: the date for what players read, and a count that nobody can set for waiting. */
export interface HlsClock {
  dateMs(): number;
  elapsedMs(): number;
}

/** For a server that looks at it every so often. While this process stands still no session and nobody who waits grows older. */
export function systemClock(lookMs: number): HlsClock {
  const watched = new WatchClock(2 * lookMs);
  return { dateMs: () => Date.now(), elapsedMs: () => watched.now() };
}
