import type { Clock } from './clock.ts';

/** An answer that many want at about the same time: asked for once, and good for a moment. */
export class TtlCache<T> {
  readonly #ask: () => Promise<T>;
  readonly #freshMs: number;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #asked: { readonly answer: Promise<T>; readonly atMs: number } | undefined;

  constructor(ask: () => Promise<T>, freshMs: number, clock: Pick<Clock, 'elapsedMs'>) {
    this.#ask = ask;
    this.#freshMs = freshMs;
    this.#clock = clock;
  }

  get(): Promise<T> {
    const nowMs = this.#clock.elapsedMs();
    if (this.#asked && nowMs - this.#asked.atMs < this.#freshMs) return this.#asked.answer;
    const asked = { answer: this.#ask(), atMs: nowMs };
    this.#asked = asked;
    // Failures are not cached.
    asked.answer.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    return asked.answer;
  }

  /** Drops the cached value after a change. */
  forget(): void {
    this.#asked = undefined;
  }
}
