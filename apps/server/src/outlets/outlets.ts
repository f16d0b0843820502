import { isNamedPlatform, numberedSlots, type Outlet, type OutletChange, type OutletFeature } from '@weir/contract';
import type * as z from 'zod';
import { WeirError } from '../core/errors.ts';
import { Mutex } from '../core/mutex.ts';
import type { Collection, Store } from '../core/store/store.ts';
import type { Destinations } from './destinations.ts';
import { checkPlatform } from './outlet-rules.ts';

interface Context<Schema extends z.ZodType<Outlet>> {
  readonly store: Store;
  readonly feature: OutletFeature;
  /** `Outlet`, or what a feature made of it. */
  readonly schema: Schema;
  readonly destinations: Destinations;
  /** Slots there may be, named platforms included. */
  readonly limit: number;
  /** Called after a save that may change what should run. */
  readonly onChange: () => void;
}

/** Fields of a feature beside the common ones; `current` is the saved slot. */
type Fill<Slot extends Outlet> = (current: Slot | undefined) => Omit<Slot, keyof Outlet>;

/**
 * The slots of one feature: what its owner wants pushed where. Saving is all that happens here; what runs follows from a plan
 * over the saved slots, so a save that changes nothing disturbs nothing.
 */
export class Outlets<Schema extends z.ZodType<Outlet>> {
  readonly #context: Context<Schema>;
  readonly #slots: Collection<z.output<Schema>>;
  /** Serialises changes, so that two new slots cannot both take the last place. */
  readonly #turns = new Mutex();

  constructor(context: Context<Schema>) {
    this.#context = context;
    this.#slots = context.store.collection(context.feature, context.schema);
  }

  /** In the order of their names. */
  async list(): Promise<z.output<Schema>[]> {
    return (await this.#slots.list()).map(({ value }) => value);
  }

  async byPlatform(): Promise<Record<string, z.output<Schema>>> {
    return Object.fromEntries((await this.#slots.list()).map(({ key, value }) => [key, value]));
  }

  /** Saves a slot whole: what is absent of the common fields is empty or off afterwards. */
  async update(change: OutletChange, fill: Fill<z.output<Schema>>): Promise<void> {
    const platform = checkPlatform(this.#context.feature, change.platform);
    await this.#context.destinations.check(change);
    const { server = '', secret = '', enabled = false, custom = false, label = '' } = change;
    const common: Outlet = { platform, server: server.trim(), secret: secret.trim(), enabled, custom, label };
    await this.#save(platform, (current) => ({ ...common, ...fill(current) }));
  }

  /** Changes only what a feature adds. A slot that did not exist is off and has no destination yet. */
  async edit(name: string, fill: Fill<z.output<Schema>>): Promise<void> {
    const platform = checkPlatform(this.#context.feature, name);
    await this.#save(platform, (current) => ({
      server: '',
      secret: '',
      enabled: false,
      custom: false,
      label: '',
      ...current,
      platform,
      ...fill(current),
    }));
  }

  async remove(name: string | undefined): Promise<void> {
    const platform = checkPlatform(this.#context.feature, name);
    if (!(await this.#slots.delete(platform))) throw new WeirError('not_found', 'there is no such destination');
    this.#context.onChange();
  }

  #save(platform: string, change: (current: z.output<Schema> | undefined) => object): Promise<void> {
    return this.#turns.take(async () => {
      if ((await this.#slots.get(platform)) === undefined) await this.#assertRoomFor(platform);
      await this.#slots.update(platform, (current) => this.#context.schema.parse(change(current)));
      this.#context.onChange();
    });
  }

  async #assertRoomFor(platform: string): Promise<void> {
    if (isNamedPlatform(platform)) return;
    const most = numberedSlots(this.#context.limit);
    const taken = (await this.#slots.list()).filter(({ key }) => !isNamedPlatform(key)).length;
    if (taken >= most)
      throw new WeirError('invalid_input', `all ${most} custom destinations are in use, remove one first`);
  }
}
