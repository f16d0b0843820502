/** The engine cuts what a publisher sent last within a second of its leave; until it is told of here some moments pass. */
const onItsWayMs = 4000;

/** Knows for which streams the last segment is still on its way, so that whoever ends a recording then does not lose it. */
export class LastSegments {
  readonly #awaited = new Map<string, PromiseWithResolvers<void>>();

  /** Expects the last segments of a publisher that left. */
  expect(key: string): void {
    const arrival = Promise.withResolvers<void>();
    this.#awaited.get(key)?.resolve();
    this.#awaited.set(key, arrival);
    setTimeout(() => {
      if (this.#awaited.get(key) === arrival) this.came(key);
    }, onItsWayMs).unref();
  }

  came(key: string): void {
    this.#awaited.get(key)?.resolve();
    this.#awaited.delete(key);
  }

  /** Resolves when nothing more is on its way. */
  async arrival(key: string): Promise<void> {
    await this.#awaited.get(key)?.promise;
  }
}
