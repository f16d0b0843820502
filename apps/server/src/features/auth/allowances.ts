import type { Clock } from '../../core/clock.ts';

export interface Rate {
  readonly burst: number;
  /** Time until one more is allowed. */
  readonly refillMs: number;
}

interface Allowance {
  left: number;
  refilledAt: number;
}

/** So much for each name at once, then one more every so often. Names that were silent for longest are forgotten. */
export class Allowances {
  readonly #rate: Rate;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #most: number;
  readonly #byName = new Map<string, Allowance>();

  constructor(rate: Rate, clock: Pick<Clock, 'elapsedMs'>, most = 10_000) {
    this.#rate = rate;
    this.#clock = clock;
    this.#most = most;
  }

  /** Milliseconds until there is one; 0: there is. */
  waitFor(name: string): number {
    const { left, refilledAt } = this.#of(name);
    return left >= 1 ? 0 : Math.max(1, refilledAt + this.#rate.refillMs - this.#clock.elapsedMs());
  }

  take(name: string): void {
    this.#of(name).left -= 1;
  }

  giveBack(name: string): void {
    const allowance = this.#of(name);
    allowance.left = Math.min(this.#rate.burst, allowance.left + 1);
  }

  forget(name: string): void {
    this.#byName.delete(name);
  }

  #of(name: string): Allowance {
    const { burst, refillMs } = this.#rate;
    const allowance = this.#byName.get(name) ?? { left: burst, refilledAt: this.#clock.elapsedMs() };
    const gained = Math.floor((this.#clock.elapsedMs() - allowance.refilledAt) / refillMs);
    if (gained > 0) {
      allowance.left = Math.min(burst, allowance.left + gained);
      allowance.refilledAt += gained * refillMs;
    }
    // Most recent last.
    this.#byName.delete(name);
    this.#byName.set(name, allowance);
    const oldest = this.#byName.size > this.#most ? this.#byName.keys().next().value : undefined;
    if (oldest !== undefined) this.#byName.delete(oldest);
    return allowance;
  }
}
