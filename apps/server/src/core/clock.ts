import { setTimeout as sleep } from 'node:timers/promises';

/** Time, where a test must be able to let an hour pass. */
export interface Clock {
  nowMs(): number;
  /** Rejects when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const pause: Clock['pause'] = (ms, signal) => sleep(ms, undefined, { signal });

/** For moments that are stored or shown; somebody may set it. */
export const wallClock: Clock = { nowMs: () => Date.now(), pause };

/** For how long something takes; it only runs forward. */
export const steadyClock: Clock = { nowMs: () => performance.now(), pause };
