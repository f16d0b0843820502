import type { DubbingStatus } from '@weir/contract';
import type { Clock } from '../../../core/clock.ts';

/** Approximate share of each step: its start and its size, in per cent. */
const shares: Partial<Record<DubbingStatus, readonly [number, number]>> = {
  extract: [0, 5],
  asr: [5, 30],
  translating: [35, 20],
  tts: [55, 35],
  rephrasing: [90, 10],
  done: [100, 0],
};
/** Before this much is done, an estimate would only jump about. */
const leastPercent = 3;

/** Progress of a run, with an estimate of the remaining time from the time so far. */
export class Progress {
  readonly #clock: Clock;
  #began: { readonly atMs: number; readonly percent: number } | undefined;
  #percent = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get percent(): number {
    return this.#percent;
  }

  get secondsLeft(): number | null {
    const began = this.#began;
    const done = began ? this.#percent - began.percent : 0;
    if (!began || done < leastPercent || this.#percent >= 100) return null;
    const tookMs = this.#clock.elapsedMs() - began.atMs;
    return Math.round(((tookMs / done) * (100 - this.#percent)) / 1000);
  }

  /** A run begins, or goes on after a pause. */
  begin(): void {
    this.#began = undefined;
  }

  at(status: DubbingStatus, share: number): void {
    const [from, length] = shares[status] ?? [this.#percent, 0];
    this.#percent = Math.round((from + length * share) * 10) / 10;
    this.#began ??= { atMs: this.#clock.elapsedMs(), percent: this.#percent };
  }
}
