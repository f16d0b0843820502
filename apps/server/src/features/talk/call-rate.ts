import { talkLimits } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import { talkError } from './talk-error.ts';

const windowMs = 60_000;
const mostKeys = 10_000;

/** How often guests may make AI work: each call costs the owner something. */
export class CallRate {
  readonly #clock: Clock;
  #counts = new Map<string, number>();
  #sinceMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws when a room or an address has had its share of this minute. */
  take(roomId: string, address: string): void {
    const now = this.#clock.elapsedMs();
    if (now - this.#sinceMs > windowMs || this.#counts.size > mostKeys) {
      this.#counts = new Map();
      this.#sinceMs = now;
    }
    const shares = [
      [`room ${roomId}`, talkLimits.roomCallsPerMinute],
      [`address ${address}`, talkLimits.addressCallsPerMinute],
    ] as const;
    if (shares.some(([key, most]) => (this.#counts.get(key) ?? 0) >= most)) {
      const retryAfterSeconds = Math.ceil((windowMs - (now - this.#sinceMs)) / 1000);
      throw talkError('minute-limit', { retryAfterSeconds });
    }
    for (const [key] of shares) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}
