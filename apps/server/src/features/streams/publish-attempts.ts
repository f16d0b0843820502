import { limits, type PublishAttempt } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import type { PublishedStream, RefusedPublish } from '../../core/events.ts';

interface Remembered extends RefusedPublish {
  readonly count: number;
  readonly atMs: number;
}

/**
 * Recently refused publishers, for users who wait for a stream. Few, short-lived and in memory, because anyone can add entries. Repeated
 * attempts of an encoder are one entry.
 */
export class PublishAttempts {
  readonly #clock: Clock;
  /** The newest is the last. */
  readonly #attempts = new Map<string, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(refused: RefusedPublish): void {
    const key = keyOf(refused);
    const count = (this.#attempts.get(key)?.count ?? 0) + 1;
    this.#attempts.delete(key);
    this.#attempts.set(key, { ...refused, count, atMs: this.#clock.dateMs() });
    for (const oldest of this.#attempts.keys()) {
      if (this.#attempts.size <= limits.publishAttempts) break;
      this.#attempts.delete(oldest);
    }
  }

  /** Clears failed attempts after a successful one. */
  forget({ vhost, app, stream }: Pick<PublishedStream, 'vhost' | 'app' | 'stream'>): void {
    for (const [key, attempt] of this.#attempts) {
      if (attempt.vhost === vhost && attempt.app === app && attempt.stream === stream) this.#attempts.delete(key);
    }
  }

  /** Newest first. */
  list(): PublishAttempt[] {
    const sinceMs = this.#clock.dateMs() - limits.publishAttemptsMs;
    return [...this.#attempts.values()]
      .filter(({ atMs }) => atMs >= sinceMs)
      .map(({ atMs, ...attempt }) => ({ ...attempt, at: new Date(atMs).toISOString() }))
      .reverse();
  }
}

function keyOf({ vhost, app, stream, protocol, address, reason }: RefusedPublish): string {
  return JSON.stringify([vhost, app, stream, protocol, address, reason]);
}
