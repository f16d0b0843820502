import { setTimeout as sleep } from 'node:timers/promises';
import { elapsedMs } from '@weir/plane/elapsed';

/** Time, injected so that tests can advance it. */
export interface Clock {
  /** Milliseconds since 1970, for times that are stored or shown. May jump back when the machine's clock is set. */
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
