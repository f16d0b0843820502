import { setTimeout as sleep } from 'node:timers/promises';
import { elapsedMs } from '@weir/plane/elapsed';

/** Time. Handed to whoever looks at it, so that a test can let an hour pass. */
export interface Clock {
  /** Milliseconds since 1970, for moments that are stored or shown. Somebody may set it back. */
  dateMs(): number;
  /** For how long something takes: it only runs forward. */
  elapsedMs(): number;
  /** Rejects when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  dateMs: () => Date.now(),
  elapsedMs,
  pause: (ms, signal) => sleep(ms, undefined, signal && { signal }),
};

/** A moment as it is stored and sent. */
export function isoNow(clock: Pick<Clock, 'dateMs'>): string {
  return new Date(clock.dateMs()).toISOString();
}
