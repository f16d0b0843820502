import { elapsedMs } from '../life/elapsed.ts';

interface Window {
  sinceMs: number;
  logged: number;
  hidden: number;
}

interface RepeatLimits {
  /** Records of one kind that a window lets through; the rest is counted. */
  readonly each: number;
  /** And so many of all kinds together: names and addresses are free. */
  readonly all: number;
  readonly windowMs: number;
}

const mostKinds = 1000;

interface Options {
  /** Called with the number of suppressed records when a window ends without another one. */
  readonly onQuiet?: (hidden: number) => void;
  readonly now?: () => number;
}

/**
 * Keeps records that anyone can cause any number of times from filling the log. The first of a kind are logged; the
 * others are counted, and the next logged one carries the count.
 */
export class LogRateLimiter {
  readonly #limits: RepeatLimits;
  readonly #now: () => number;
  readonly #onQuiet: ((hidden: number) => void) | undefined;
  readonly #kinds = new Map<string, Window>();
  readonly #all: Window;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: RepeatLimits, { onQuiet, now = elapsedMs }: Options = {}) {
    this.#limits = limits;
    this.#now = now;
    this.#onQuiet = onQuiet;
    this.#all = { sinceMs: now(), logged: 0, hidden: 0 };
  }

  /** Number of suppressed records since the last one that was logged, or undefined to suppress this one too. */
  pass(kind: string): number | undefined {
    const { each, all } = this.#limits;
    const nowMs = this.#now();
    const own = this.#windowOf(kind, nowMs);
    this.#roll(own, nowMs);
    this.#roll(this.#all, nowMs);
    if (own.logged >= each || this.#all.logged >= all) {
      own.hidden += 1;
      this.#all.hidden += 1;
      if (this.#onQuiet) this.#timer ??= setTimeout(this.#reportQuiet, this.#limits.windowMs).unref();
      return undefined;
    }
    own.logged += 1;
    this.#all.logged += 1;
    const hidden = own.hidden;
    own.hidden = 0;
    this.#all.hidden -= Math.min(hidden, this.#all.hidden);
    return hidden;
  }

  readonly #reportQuiet = (): void => {
    const { hidden } = this.#all;
    this.#timer = undefined;
    this.#all.hidden = 0;
    for (const window of this.#kinds.values()) window.hidden = 0;
    if (hidden > 0) this.#onQuiet?.(hidden);
  };

  #roll(window: Window, nowMs: number): void {
    if (nowMs - window.sinceMs < this.#limits.windowMs) return;
    window.sinceMs = nowMs;
    window.logged = 0;
  }

  /** Evicts the kinds that were seen longest ago. */
  #windowOf(kind: string, nowMs: number): Window {
    const known = this.#kinds.get(kind) ?? { sinceMs: nowMs, logged: 0, hidden: 0 };
    this.#kinds.delete(kind);
    this.#kinds.set(kind, known);
    const [oldest] = this.#kinds.keys();
    if (this.#kinds.size > mostKinds && oldest !== undefined) this.#kinds.delete(oldest);
    return known;
  }
}
