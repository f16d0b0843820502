import type { Snapshot } from '@weir/process';
import type { Clock } from '../core/clock.ts';
import { Semaphore } from '../core/semaphore.ts';

/** Programs at once, and how many may wait. A source that does not answer holds one for 15 s. */
const bounds = { atOnce: 2, waiting: 50, refusal: 'too many pictures are being made, try again' };
const mostKept = 64;
/** A camera is not contacted again for every console that looks. */
const keptMs = 60_000;

interface Kept {
  readonly atMs: number;
  readonly made: Promise<Snapshot>;
}

/** Pictures of sources, kept for a minute. */
export class SourcePictures {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  readonly #programs = new Semaphore(bounds);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get(uuid: string, make: () => Promise<Snapshot>): Promise<Snapshot> {
    const nowMs = this.#clock.elapsedMs();
    const kept = this.#kept.get(uuid);
    if (kept && nowMs - kept.atMs < keptMs) return kept.made;
    const made = this.#programs.run(make);
    this.#kept.delete(uuid);
    this.#kept.set(uuid, { atMs: nowMs, made });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    // Failures are not cached.
    const forget = () => {
      if (this.#kept.get(uuid)?.made === made) this.#kept.delete(uuid);
    };
    made.then((picture) => !Buffer.isBuffer(picture) && forget(), forget);
    return made;
  }
}
