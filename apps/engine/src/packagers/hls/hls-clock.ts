/** Time as HLS needs it: the date for what players read, and a count that nobody can set for waiting. */
export interface HlsClock {
  dateMs(): number;
  elapsedMs(): number;
}

export const systemClock: HlsClock = { dateMs: () => Date.now(), elapsedMs: () => performance.now() };
