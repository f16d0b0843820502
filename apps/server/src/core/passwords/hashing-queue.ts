/** A job was not started because newer ones came in faster than they could be done. */
export class HashingOverload extends Error {
  override readonly name = 'HashingOverload';
}

interface Waiting {
  readonly start: () => void;
  readonly drop: () => void;
}

/**
 * Runs few jobs at once. Callers from known or quiet networks go first. Among the others, the newest goes first and the oldest is dropped
 * when too many wait: first come, first served would put a real user behind a flood of guesses.
 */
export class HashingQueue {
  readonly #width: number;
  readonly #longest: number;
  readonly #known: Waiting[] = [];
  readonly #strangers: Waiting[] = [];
  #running = 0;

  constructor({ width, longest }: { width: number; longest: number }) {
    this.#width = width;
    this.#longest = longest;
  }

  async run<T>(job: () => Promise<T>, { isKnown }: { isKnown: boolean }): Promise<T> {
    if (this.#running >= this.#width) await this.#turn(isKnown ? this.#known : this.#strangers);
    this.#running += 1;
    try {
      return await job();
    } finally {
      this.#running -= 1;
      (this.#known.pop() ?? this.#strangers.pop())?.start();
    }
  }

  #turn(waiting: Waiting[]): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ start: resolve, drop: () => reject(new HashingOverload()) });
      if (waiting.length > this.#longest) waiting.shift()?.drop();
    });
  }
}
