import type { Clock } from '../../core/clock.ts';

interface Busy {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Share of time for recognition on all streams; the part not needed for finished utterances goes to open ones. */
const mostShare = 0.45;
const windowMs = 8000;
/** Pause after a failure: interim results are of little use. */
const restMs = 10_000;

/** Grants time for interim recognition: never while a final one waits, and within a share of the time. */
export class InterimPace {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #busy: Busy[] = [];
  #asked = 0;
  #sinceMs = 0;
  #restUntilMs = 0;

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  /** Recognition is asked for something; to be ended, once. */
  begin(): () => void {
    if (this.#asked++ === 0) this.#sinceMs = this.#clock.elapsedMs();
    return () => {
      if (--this.#asked > 0) return;
      const toMs = this.#clock.elapsedMs();
      this.#busy = [...this.#busy, { fromMs: this.#sinceMs, toMs }].filter((one) => one.toMs > toMs - windowMs);
    };
  }

  fail(): void {
    this.#restUntilMs = this.#clock.elapsedMs() + restMs;
  }

  get isFree(): boolean {
    const nowMs = this.#clock.elapsedMs();
    if (this.#asked > 0 || nowMs < this.#restUntilMs) return false;
    const oldestMs = nowMs - windowMs;
    const spentMs = this.#busy.reduce(
      (sum, { fromMs, toMs }) => sum + Math.max(0, toMs - Math.max(fromMs, oldestMs)),
      0,
    );
    return spentMs < mostShare * windowMs;
  }
}
