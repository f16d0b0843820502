/** A job was not started because newer ones came in faster than they could be done. */
export class Crowded extends Error {
  override readonly name = 'Crowded';
}

interface Waiting {
  readonly start: () => void;
  readonly drop: () => void;
}

/**
 * Runs few jobs at once, newest first, and lets the oldest waiting one go when too many wait. Under a flood of guesses
 * somebody who signs in now is served now; first come, first served would put them behind the flood.
 */
export class NewestFirstLane {
  readonly #width: number;
  readonly #longest: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor({ width, longest }: { width: number; longest: number }) {
    this.#width = width;
    this.#longest = longest;
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#width) await this.#turn();
    this.#running += 1;
    try {
      return await job();
    } finally {
      this.#running -= 1;
      this.#waiting.pop()?.start();
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ start: resolve, drop: () => reject(new Crowded()) });
      if (this.#waiting.length > this.#longest) this.#waiting.shift()?.drop();
    });
  }
}
