export interface BackOffOptions {
  readonly firstMs: number;
  readonly mostMs: number;
  /** A run this long was a good one: the next failure counts as the first. */
  readonly healthyMs: number;
  /** Delays of the first failures stay below this limit. */
  readonly soon?: { readonly failures: number; readonly mostMs: number };
  readonly random?: () => number;
}

/** Delay before the next attempt: short after one failure, longer after many, with jitter. */
export class BackOff {
  readonly #options: BackOffOptions;
  #failures = 0;

  constructor(options: BackOffOptions) {
    this.#options = options;
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** The last attempt ended after `ranMs`. */
  next(ranMs: number): number {
    const { healthyMs, random = Math.random } = this.#options;
    if (ranMs >= healthyMs) this.#failures = 0;
    this.#failures += 1;
    // A fifth more or less, so that many children of one broken thing do not start as one.
    return this.#middleMs() * (0.8 + random() * 0.4);
  }

  reset(): void {
    this.#failures = 0;
  }

  #middleMs(): number {
    const { firstMs, mostMs, soon } = this.#options;
    const doubled = (ms: number, times: number) => ms * 2 ** Math.min(30, times);
    if (!soon) return Math.min(mostMs, doubled(firstMs, this.#failures - 1));
    if (this.#failures <= soon.failures) return Math.min(soon.mostMs, doubled(firstMs, this.#failures - 1));
    return Math.min(mostMs, doubled(soon.mostMs, this.#failures - soon.failures));
  }
}
