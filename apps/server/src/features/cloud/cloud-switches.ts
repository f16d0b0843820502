import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

export type CloudKind = 'dvr' | 'vod';

const Switches = z.object({ dvr: z.boolean().default(false), vod: z.boolean().default(false) });
type Switches = z.output<typeof Switches>;

const names: Record<CloudKind, string> = { dvr: 'cloud recording', vod: 'cloud video on demand' };

/** State of the two switches, of which at most one is on. Cached in memory because it is read for every segment. */
export class CloudSwitches {
  readonly #switches: Setting<Switches>;
  #known: Switches | undefined;

  constructor(store: Store) {
    this.#switches = store.setting('cloud/switches', Switches);
  }

  async isOn(kind: CloudKind): Promise<boolean> {
    this.#known ??= await this.#switches.read();
    return this.#known[kind];
  }

  async set(kind: CloudKind, isOn: boolean): Promise<void> {
    const other = kind === 'dvr' ? 'vod' : 'dvr';
    this.#known = await this.#switches.update((current) => {
      if (isOn && current[other])
        throw new WeirError('invalid_input', `${names[other]} is on, turn it off first: only one of the two can be on`);
      return { ...current, [kind]: isOn };
    });
  }
}
