import { RecordStorageRule, sourceQuality } from '@weir/contract';
import { segmentFormatNames } from '@weir/streams';
import * as z from 'zod';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

const Settings = z.object({
  all: z.boolean().default(false),
  globs: z.array(z.string()).default([]),
  /** Path as typed; resolved on each use. */
  processCpDir: z.string().default(''),
  subtitles: z.boolean().default(false),
  segmentFormat: z.enum(segmentFormatNames).default('mpegts'),
  qualities: z.array(z.string()).default([sourceQuality]),
  rule: RecordStorageRule.prefault({}),
});
type Settings = z.output<typeof Settings>;

/** Recording settings, cached in memory because they are read for every segment. */
export class RecordSettingsRepository {
  readonly #settings: Setting<Settings>;
  #known: Settings | undefined;

  constructor(store: Store) {
    this.#settings = store.setting('record/settings', Settings);
  }

  async read(): Promise<Settings> {
    this.#known ??= await this.#settings.read();
    return this.#known;
  }

  /** Read, changed and written as one step, so that two consoles lose nothing. */
  async change(change: Partial<Settings> | ((current: Settings) => Partial<Settings>)): Promise<Settings> {
    this.#known = await this.#settings.update((current) => ({
      ...current,
      ...(typeof change === 'function' ? change(current) : change),
    }));
    return this.#known;
  }
}
