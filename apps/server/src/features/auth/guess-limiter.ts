import { networkOf } from '@weir/plane';

interface Allowance {
  /** Wrong guesses left. */
  left: number;
  refilledAt: number;
}

interface Rate {
  readonly burst: number;
  /** Time until one more guess is allowed. */
  readonly refillMs: number;
}

export interface GuessLimits {
  readonly perAddress: Rate;
  readonly overall: Rate;
}

/** So many wrong guesses since so long ago. */
export interface GuessingAlert {
  readonly startedMsAgo: number;
  readonly count: number;
}

export const guessLimits: GuessLimits = {
  perAddress: { burst: 10, refillMs: 6000 },
  overall: { burst: 100, refillMs: 1000 },
};

/** So many wrong guesses within the memory of the limiter are worth telling the administrator. */
const alertFrom = 20;
const alertQuietMs = 10 * 60_000;
const rememberedAddresses = 10_000;

/**
 * Bounds wrong passwords per address and overall. One address never uses up what another may try: when the overall
 * allowance is gone, an address that has not guessed wrong yet is still heard, so guessing locks nobody else out.
 */
export class GuessLimiter {
  readonly #now: () => number;
  readonly #limits: GuessLimits;
  readonly #addresses = new Map<string, Allowance>();
  readonly #overall: Allowance;
  #wrong = { since: 0, last: 0, count: 0 };

  /** The clock only ever goes forward: setting the machine's time must lock nobody out. */
  constructor(limits: GuessLimits = guessLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#overall = { left: limits.overall.burst, refilledAt: now() };
  }

  /**
   * Takes one guess from the address's allowance, before anything is checked, so that guesses sent at once count too.
   * Returns the milliseconds to wait when there is none left.
   */
  take(address: string): number | undefined {
    const { perAddress, overall } = this.#limits;
    const key = networkOf(address);
    const own = this.#addresses.get(key) ?? { left: perAddress.burst, refilledAt: this.#now() };
    this.#remember(key, own);
    this.#refill(own, perAddress);
    this.#refill(this.#overall, overall);
    if (own.left < 1) return this.#waitFor(own, perAddress);
    if (this.#overall.left < 1 && own.left < perAddress.burst) return this.#waitFor(this.#overall, overall);
    own.left -= 1;
    this.#overall.left = Math.max(0, this.#overall.left - 1);
    return undefined;
  }

  /** The guess was right: it does not count. */
  forgive(address: string): void {
    this.#addresses.delete(networkOf(address));
    this.#overall.left = Math.min(this.#limits.overall.burst, this.#overall.left + 1);
  }

  recordWrong(): void {
    const now = this.#now();
    const isNew = now - this.#wrong.last > alertQuietMs;
    this.#wrong = { since: isNew ? now : this.#wrong.since, last: now, count: isNew ? 1 : this.#wrong.count + 1 };
  }

  /** Somebody is guessing, or did until a few minutes ago. */
  alert(): GuessingAlert | undefined {
    const { since, last, count } = this.#wrong;
    const now = this.#now();
    return count >= alertFrom && now - last <= alertQuietMs ? { startedMsAgo: now - since, count } : undefined;
  }

  #refill(allowance: Allowance, { burst, refillMs }: Rate): void {
    const gained = Math.floor((this.#now() - allowance.refilledAt) / refillMs);
    if (gained <= 0) return;
    allowance.left = Math.min(burst, allowance.left + gained);
    allowance.refilledAt += gained * refillMs;
  }

  #waitFor(allowance: Allowance, { refillMs }: Rate): number {
    return Math.max(1, allowance.refilledAt + refillMs - this.#now());
  }

  /** Most recent last; the ones silent for longest are forgotten first. */
  #remember(key: string, allowance: Allowance): void {
    this.#addresses.delete(key);
    this.#addresses.set(key, allowance);
    if (this.#addresses.size <= rememberedAddresses) return;
    const oldest = this.#addresses.keys().next().value;
    if (oldest !== undefined) this.#addresses.delete(oldest);
  }
}
