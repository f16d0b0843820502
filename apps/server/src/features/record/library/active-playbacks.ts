import type { Clock } from '../../../core/clock.ts';

/** Pause after which playback counts as a new one. */
const memoryMs = 10 * 60_000;
const mostKept = 1000;

/** Recordings that are being played. */
export class ActivePlaybacks {
  readonly #atMs = new Map<string, number>();
  readonly #clock: Pick<Clock, 'elapsedMs'>;

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  note(uuid: string): void {
    this.#atMs.delete(uuid);
    this.#atMs.set(uuid, this.#clock.elapsedMs());
    for (const oldest of this.#atMs.keys()) {
      if (this.#atMs.size <= mostKept) return;
      this.#atMs.delete(oldest);
    }
  }

  has(uuid: string): boolean {
    return this.#clock.elapsedMs() - (this.#atMs.get(uuid) ?? Number.NEGATIVE_INFINITY) < memoryMs;
  }
}
