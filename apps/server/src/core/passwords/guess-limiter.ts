import { type Networks, toNetworks } from '@weir/streams';
import type { Clock } from '../clock.ts';

interface Rate {
  readonly burst: number;
  /** Time until one more is allowed. */
  readonly refillMs: number;
}

interface Allowance {
  left: number;
  refilledAt: number;
}

/** Token buckets by name. The names that were idle longest are evicted. */
class Allowances {
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

  /** True for a name that has used nothing, or has it all back. */
  isFull(name: string): boolean {
    return this.#of(name).left >= this.#rate.burst;
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

/** Rates for a network, the site and region around it, and all strangers together. */
type GuessLimits = Readonly<Record<keyof Networks | 'overall', Rate>>;

/** Number of wrong guesses since a time. */
export interface GuessingAlert {
  readonly startedMsAgo: number;
  readonly count: number;
}

/** Two regions together cannot use up what all strangers may try, nor keep it used up. */
export const guessLimits: GuessLimits = {
  network: { burst: 10, refillMs: 6000 },
  site: { burst: 20, refillMs: 3000 },
  region: { burst: 40, refillMs: 3000 },
  overall: { burst: 100, refillMs: 1000 },
};

/** Wrong guesses in the limiter's memory that raise an alert. */
const alertFrom = 20;
const alertQuietMs = 10 * 60_000;

/**
 * Limits wrong passwords. Unknown networks share one allowance, however many there are. A network with an earlier sign-in has its own
 * allowance and is not affected by the others.
 */
export class GuessLimiter {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #levels: readonly { readonly name: keyof GuessLimits; readonly allowances: Allowances }[];
  #wrong = { since: 0, last: 0, count: 0 };

  /** Monotonic clock: setting the machine's time must not lock anyone out. */
  constructor(clock: Pick<Clock, 'elapsedMs'>, limits: GuessLimits = guessLimits) {
    this.#clock = clock;
    this.#levels = (['network', 'site', 'region', 'overall'] as const).map((name) => ({
      name,
      allowances: new Allowances(limits[name], clock),
    }));
  }

  /**
   * Takes one guess, before anything is checked, so that guesses sent at once count too. Returns the milliseconds to
   * wait when there is none left.
   */
  take(address: string, { isKnown }: { isKnown: boolean }): number | undefined {
    const names = namesOf(address);
    const levels = this.#levels.filter(({ name }) => name === 'network' || !isKnown);
    const waitMs = Math.max(...levels.map(({ name, allowances }) => allowances.waitFor(names[name])));
    if (waitMs > 0) return waitMs;
    for (const { name, allowances } of levels) allowances.take(names[name]);
    return undefined;
  }

  /** True if the region has no recent or running wrong guess. */
  isQuiet(address: string): boolean {
    const names = namesOf(address);
    return this.#levels.every(({ name, allowances }) => name === 'overall' || allowances.isFull(names[name]));
  }

  /** The guess was right: it does not count. */
  forgive(address: string, { isKnown }: { isKnown: boolean }): void {
    const names = namesOf(address);
    for (const { name, allowances } of this.#levels) {
      if (name === 'network') allowances.forget(names.network);
      else if (!isKnown) allowances.giveBack(names[name]);
    }
  }

  recordWrong(): void {
    const now = this.#clock.elapsedMs();
    const isNew = now - this.#wrong.last > alertQuietMs;
    this.#wrong = { since: isNew ? now : this.#wrong.since, last: now, count: isNew ? 1 : this.#wrong.count + 1 };
  }

  /** Alert for guessing that is going on or ended minutes ago. */
  alert(): GuessingAlert | undefined {
    const { since, last, count } = this.#wrong;
    const now = this.#clock.elapsedMs();
    return count >= alertFrom && now - last <= alertQuietMs ? { startedMsAgo: now - since, count } : undefined;
  }
}

function namesOf(address: string): Record<keyof GuessLimits, string> {
  return { ...toNetworks(address), overall: '' };
}
