import { WeirError } from './errors.ts';

interface Bounds {
  readonly atOnce: number;
  readonly waiting: number;
  /** Error of jobs that exceed the queue. */
  readonly refusal: string;
}

/** A few pieces of work at a time, the others in the order they came; when too many wait, people are asked to come back. */
export class Semaphore {
  readonly #bounds: Bounds;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const { atOnce, waiting, refusal } = this.#bounds;
    if (this.#running < atOnce) this.#running += 1;
    else if (this.#waiting.length < waiting) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else throw new WeirError('unavailable', refusal, { retryAfterSeconds: 5 });
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Hands the place to the next waiting job, so that a new job cannot take it. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
