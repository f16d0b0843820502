import { HookDelivery, hookLimits } from '@weir/contract';
import type { Collection, Store } from '../../core/store/store.ts';

/** A delivery and its place in the order of events. */
export interface Placed {
  readonly key: string;
  readonly delivery: HookDelivery;
}

/** Deliveries in the order their events happened, with an end to how many there can be. */
export class DeliveryRepository {
  readonly #deliveries: Collection<HookDelivery>;
  #turn: Promise<unknown> = Promise.resolve();
  #lastNumber: number | undefined;

  constructor(store: Store) {
    this.#deliveries = store.collection('hook-deliveries', HookDelivery);
  }

  /** Oldest first. */
  async list(): Promise<Placed[]> {
    return (await this.#deliveries.list()).map(({ key, value }) => ({ key, delivery: value }));
  }

  async waiting(): Promise<Placed[]> {
    return (await this.list()).filter(({ delivery }) => delivery.state === 'waiting');
  }

  /** Events that are added one after the other stay in that order, however long the store takes. */
  add(delivery: HookDelivery): Promise<Placed> {
    const added = this.#turn.then(async () => {
      this.#lastNumber ??= Number((await this.#deliveries.list()).at(-1)?.key ?? 0);
      this.#lastNumber += 1;
      const key = String(this.#lastNumber).padStart(15, '0');
      await this.#deliveries.put(key, delivery);
      await this.#prune();
      return { key, delivery };
    });
    this.#turn = added.catch(() => undefined);
    return added;
  }

  async replace({ key, delivery }: Placed): Promise<void> {
    await this.#deliveries.put(key, delivery);
  }

  /** Forgets the oldest: a receiver that never comes back must not fill the disk. */
  async #prune(): Promise<void> {
    const all = await this.list();
    const isWaiting = ({ delivery }: Placed) => delivery.state === 'waiting';
    const surplus = [
      ...all.filter(isWaiting).slice(0, -hookLimits.waiting),
      ...all.filter((placed) => !isWaiting(placed)).slice(0, -hookLimits.finished),
    ];
    for (const { key } of surplus) await this.#deliveries.delete(key);
  }
}
