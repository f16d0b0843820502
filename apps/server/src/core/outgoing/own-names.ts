import * as z from 'zod';
import { type Clock, isoNow } from '../clock.ts';
import type { Collection, Store } from '../store/store.ts';

/**
 * Names of the own network that the administrator wrote down when they already led there. That is the word by which streams may
 * go to private addresses by name; a name that led elsewhere when it was saved, and leads inside later, has none.
 */
export class OwnNames {
  readonly #names: Collection<{ at: string }>;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#names = store.collection('own-names', z.object({ at: z.string() }));
    this.#clock = clock;
  }

  async has(hostname: string): Promise<boolean> {
    return (await this.#names.get(hostname.toLowerCase())) !== undefined;
  }

  async add(hostname: string): Promise<void> {
    await this.#names.put(hostname.toLowerCase(), { at: isoNow(this.#clock) });
  }
}
