import type { SwitchReason } from './decide.ts';

/** An input that was taken back and is lost again within this flaps. */
const flapMs = 60_000;
const mostLeastMs = 300_000;
const mostFactor = 64;

const lostReasons: ReadonlySet<SwitchReason> = new Set(['closed', 'silent', 'black', 'frozen', 'quiet']);

/** Time between automatic returns, longer each time that an input does not last. */
export class ReturnPace {
  #factor = 1;
  #last: SwitchReason = 'start';

  leastMs(usualMs: number): number {
    return Math.min(mostLeastMs, usualMs * this.#factor);
  }

  /** A switch was made, away from an input that was on air for so long. */
  note(reason: SwitchReason, onAirMs: number): void {
    const isLost = lostReasons.has(reason);
    if (isLost && this.#last === 'return') {
      this.#factor = onAirMs < flapMs ? Math.min(mostFactor, this.#factor * 2) : 1;
    }
    this.#last = reason;
  }
}
