/**
 * Clock for timeouts that ignores stand-stills. It advances at most one step between two readings: while the machine is
 * suspended or overloaded peers could not act either, and that time must not count against them.
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
