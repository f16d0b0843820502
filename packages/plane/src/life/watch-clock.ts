/**
 * A clock for patience. It goes no further between two looks than a look should take: while the whole machine stands still, or
 * is too busy to let us look, nobody else could move either, and that time counts against no one.
 */
export class WatchClock {
  readonly #mostStepMs: number;
  readonly #read: () => number;
  #lastMs: number;
  #nowMs = 0;

  constructor(mostStepMs: number, read: () => number = () => performance.now()) {
    this.#mostStepMs = mostStepMs;
    this.#read = read;
    this.#lastMs = read();
  }

  /** Milliseconds that were watched. To be asked at least once per step. */
  now(): number {
    const readMs = this.#read();
    this.#nowMs += Math.min(readMs - this.#lastMs, this.#mostStepMs);
    this.#lastMs = readMs;
    return this.#nowMs;
  }
}
