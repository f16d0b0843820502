/** Whoever wants to know of each change, as React asks for it. */
export class Listeners {
  readonly #all = new Set<() => void>();

  /** Returns how to leave. */
  readonly add = (listener: () => void): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  readonly notify = (): void => {
    for (const listener of this.#all) listener();
  };
}
