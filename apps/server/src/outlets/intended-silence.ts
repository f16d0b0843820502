import type { Clock } from '../core/clock.ts';
import { TtlCache } from '../core/ttl-cache.ts';
import type { LiveInputs } from './live-inputs.ts';

/** Streams are judged every few seconds, each by itself. */
const freshMs = 1000;

interface Context {
  readonly inputs: Pick<LiveInputs, 'ownStreamOf' | 'outputs'>;
  readonly clock: Pick<Clock, 'elapsedMs'>;
}

/** Streams that are silent by the owner's choice, which is no fault. */
export class IntendedSilence {
  readonly #inputs: Context['inputs'];
  readonly #streams: TtlCache<ReadonlySet<string>>;

  constructor({ inputs, clock }: Context) {
    this.#inputs = inputs;
    this.#streams = new TtlCache(() => this.#find(), freshMs, clock);
  }

  /** Display names of these streams. Empty where unknown: a false warning is better than a missing one. */
  streams(): Promise<ReadonlySet<string>> {
    return this.#streams.get().catch(() => new Set());
  }

  async #find(): Promise<ReadonlySet<string>> {
    const { outputs } = this.#inputs;
    const urls = (await Promise.all(outputs.map(({ silent }) => silent?.() ?? []))).flat();
    if (urls.length === 0) return new Set();
    const silent = new Set(await Promise.all(urls.map((url) => this.#inputs.ownStreamOf(url))));
    const listed = (await Promise.all(outputs.map(({ copies }) => copies?.() ?? []))).flat();
    const copies = await Promise.all(
      listed.map(async ({ from, to }) => ({ from, made: await this.#inputs.ownStreamOf(to) })),
    );
    // Copies of a silent stream are silent too. Once for each of them: the copy of a copy may be listed first.
    for (const _ of copies) for (const { from, made } of copies) if (silent.has(from)) silent.add(made);
    return new Set([...silent].filter((stream) => stream !== undefined));
  }
}
