import type { Clock } from './clock.ts';

/** An answer that many want at about the same time: asked for once, and good for a moment. */
export class TtlCache<T> {
  readonly #load: () => Promise<T>;
  readonly #freshMs: number;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #latest: { readonly answer: Promise<T>; readonly atMs: number } | undefined;

  constructor(ask: () => Promise<T>, freshMs: number, clock: Pick<Clock, 'elapsedMs'>) {
    this.#load = ask;
    this.#freshMs = freshMs;
    this.#clock = clock;
  }

  get(): Promise<T> {
    const nowMs = this.#clock.elapsedMs();
    if (this.#latest && nowMs - this.#latest.atMs < this.#freshMs) return this.#latest.answer;
    const asked = { answer: this.#load(), atMs: nowMs };
    this.#latest = asked;
    // Failures are not cached.
    asked.answer.catch(() => {
      if (this.#latest === asked) this.#latest = undefined;
    });
    return asked.answer;
  }

  /** Drops the cached value after a change. */
  forget(): void {
    this.#latest = undefined;
  }
}
