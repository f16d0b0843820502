/** Runs one task at a time, each after the previous one has settled. */
export class Mutex {
  /** Last waiting job of each key. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when it is its turn. Lines with different names do not wait for each other. */
  take<T>(work: () => Promise<T>, line = ''): Promise<T> {
    const done = (this.#last.get(line) ?? Promise.resolve()).then(work);
    const settled = done
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(line) === settled) this.#last.delete(line);
      });
    this.#last.set(line, settled);
    return done;
  }
}
