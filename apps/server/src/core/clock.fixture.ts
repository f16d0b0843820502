import type { Clock } from './clock.ts';

/** Time that stands still until a test lets it pass. Whoever pauses goes on once enough of it has passed. */
export class FakeClock implements Clock {
  #dateMs: number;
  #elapsedMs = 0;
  #pauses: { readonly untilMs: number; readonly wake: () => void }[] = [];

  constructor(date: number | string | Date = 0) {
    this.#dateMs = new Date(date).getTime();
  }

  dateMs(): number {
    return this.#dateMs;
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const pause = { untilMs: this.#elapsedMs + ms, wake: resolve };
      this.#pauses.push(pause);
      signal?.addEventListener('abort', () => {
        this.#pauses = this.#pauses.filter((other) => other !== pause);
        reject(signal.reason);
      });
    });
  }

  /** On both clocks. */
  pass(ms: number): void {
    this.#dateMs += ms;
    this.#elapsedMs += ms;
    const due = this.#pauses.filter(({ untilMs }) => untilMs <= this.#elapsedMs);
    this.#pauses = this.#pauses.filter((pause) => !due.includes(pause));
    for (const { wake } of due) wake();
  }

  /** The administrator of the machine does, which moves nothing that is measured. */
  setDate(date: number | string | Date): void {
    this.#dateMs = new Date(date).getTime();
  }
}
