import { RecordStorageRule } from '@weir/contract';
import * as z from 'zod';
import type { Collection, Store } from '../../core/store/store.ts';

const Settings = z.object({
  all: z.boolean().default(false),
  globs: z.array(z.string()).default([]),
  /** As it was typed; where it leads is looked up each time. */
  processCpDir: z.string().default(''),
  rule: RecordStorageRule.prefault({}),
});
export type Settings = z.output<typeof Settings>;

const key = 'settings';

/** What is to be recorded. Read for every segment, so it is kept in memory beside the store. */
export class RecordSettingsRepository {
  readonly #entries: Collection<Settings>;
  #known: Settings | undefined;

  constructor(store: Store) {
    this.#entries = store.collection('record', Settings);
  }

  async read(): Promise<Settings> {
    this.#known ??= (await this.#entries.get(key)) ?? Settings.parse({});
    return this.#known;
  }

  async change(change: Partial<Settings>): Promise<Settings> {
    this.#known = await this.#entries.update(key, (current) => ({ ...(current ?? Settings.parse({})), ...change }));
    return this.#known;
  }
}
