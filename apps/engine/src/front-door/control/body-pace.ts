import type { Limits } from '../limits.ts';

/** While the receiver is what holds a body up, it is looked at again after this long. */
const heldUpMs = 1000;
/** Longest Node timer used here: 2^31 ms would be taken for 1. */
const longestMs = 3_600_000;

/**
 * Whether a request body comes fast enough on the whole: a byte now and then satisfies any limit on pauses. It has some
 * time to begin with, and each byte buys more, so that a large upload on a thin line has all the time it needs.
 */
export class BodyPace {
  readonly #options: BodyPaceOptions;
  readonly #startedMs = performance.now();
  #bytes = 0;
  #timer: NodeJS.Timeout;

  constructor(options: BodyPaceOptions) {
    this.#options = options;
    this.#timer = setTimeout(this.#check, options.limits.bodyMs);
  }

  take(bytes: number): void {
    this.#bytes += bytes;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly #check = (): void => {
    const { limits, isHeldUp, onTooSlow } = this.#options;
    const boughtMs = (this.#bytes / limits.minBodyBytesPerSecond) * 1000;
    const leftMs = this.#startedMs + limits.bodyMs + boughtMs - performance.now();
    if (leftMs <= 0 && !isHeldUp()) onTooSlow();
    else this.#timer = setTimeout(this.#check, leftMs > 0 ? Math.min(leftMs, longestMs) : heldUpMs);
  };
}

interface BodyPaceOptions {
  readonly limits: Pick<Limits, 'bodyMs' | 'minBodyBytesPerSecond'>;
  /** The receiver does not take what has come. */
  readonly isHeldUp: () => boolean;
  readonly onTooSlow: () => void;
}
