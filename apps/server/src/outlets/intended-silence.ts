import type { Clock } from '../core/clock.ts';
import { TtlCache } from '../core/ttl-cache.ts';
import type { LiveInputs } from './live-inputs.ts';

/** Streams are judged every few seconds, each by itself. */
const freshMs = 1000;

interface Context {
  readonly inputs: Pick<LiveInputs, 'ownStreamOf'>;
  readonly clock: Pick<Clock, 'elapsedMs'>;
}

/** Lists the addresses that a feature pushes silence to. */
type ListSilent = () => Promise<readonly string[]>;

/** Lists the streams that a feature takes, as people name them, and the address it pushes each to. */
type ListCopies = () => Promise<readonly { readonly from: string; readonly to: string }[]>;

/** Streams that are silent by the owner's choice, which is no fault. */
export class IntendedSilence {
  readonly #inputs: Context['inputs'];
  readonly #silent: ListSilent[] = [];
  readonly #copies: ListCopies[] = [];
  readonly #streams: TtlCache<ReadonlySet<string>>;

  constructor({ inputs, clock }: Context) {
    this.#inputs = inputs;
    this.#streams = new TtlCache(() => this.#find(), freshMs, clock);
  }

  add(list: ListSilent): void {
    this.#silent.push(list);
  }

  /** Copies of a silent stream are silent too. */
  addCopies(list: ListCopies): void {
    this.#copies.push(list);
  }

  /** Display names of these streams. Empty where unknown: a false warning is better than a missing one. */
  streams(): Promise<ReadonlySet<string>> {
    return this.#streams.get().catch(() => new Set());
  }

  async #find(): Promise<ReadonlySet<string>> {
    const urls = (await Promise.all(this.#silent.map((list) => list()))).flat();
    if (urls.length === 0) return new Set();
    const silent = new Set(await Promise.all(urls.map((url) => this.#inputs.ownStreamOf(url))));
    const listed = (await Promise.all(this.#copies.map((list) => list()))).flat();
    const copies = await Promise.all(
      listed.map(async ({ from, to }) => ({ from, made: await this.#inputs.ownStreamOf(to) })),
    );
    // Once for each of them: the copy of a copy may be listed first.
    for (const _ of copies) for (const { from, made } of copies) if (silent.has(from)) silent.add(made);
    return new Set([...silent].filter((stream) => stream !== undefined));
  }
}
