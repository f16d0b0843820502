import { HookDelivery, hookLimits } from '@weir/contract';
import { Mutex } from '../../core/mutex.ts';
import type { Collection, Store } from '../../core/store/store.ts';

/** A delivery and its place in the order of events. */
interface Placed {
  readonly key: string;
  readonly delivery: HookDelivery;
}

/** Index of the taken positions: reading a thousand waiting events to find the first would take too long. */
interface Index {
  /** The stream of each that waits, oldest first. */
  waiting: Map<string, string>;
  readonly done: Set<string>;
  /** The request id of each. */
  readonly ids: Map<string, string>;
  lastNumber: number;
}

/** Deliveries in the order their events happened, with an end to how many there can be. */
export class DeliveryRepository {
  readonly #deliveries: Collection<HookDelivery>;
  readonly #turns = new Mutex();
  #index: Promise<Index> | undefined;

  constructor(store: Store) {
    this.#deliveries = store.collection('hook-deliveries', HookDelivery);
  }

  /** Oldest first. */
  async list(): Promise<Placed[]> {
    return (await this.#deliveries.list()).map(({ key, value }) => ({ key, delivery: value }));
  }

  /** The one whose turn it is. */
  async firstWaiting(): Promise<Placed | undefined> {
    const [key] = (await this.#places()).waiting.keys();
    const delivery = key === undefined ? undefined : await this.#deliveries.get(key);
    return key !== undefined && delivery ? { key, delivery } : undefined;
  }

  async isWaiting(stream: string): Promise<boolean> {
    return [...(await this.#places()).waiting.values()].includes(stream);
  }

  /** Events that are added one after the other stay in that order, however long the store takes. One that is here already is no second one. */
  add(delivery: HookDelivery): Promise<boolean> {
    return this.#turns.take(async () => {
      const { lastNumber, ids } = await this.#places();
      if ([...ids.values()].includes(delivery.request_id)) return false;
      const placed = { key: String(lastNumber + 1).padStart(15, '0'), delivery };
      await this.replace(placed);
      await this.#prune();
      return true;
    });
  }

  async replace({ key, delivery }: Placed): Promise<void> {
    const places = await this.#places();
    await this.#deliveries.put(key, delivery);
    note(places, { key, delivery });
  }

  /** Makes a waiting delivery due now; one that an attempt has just finished stays finished. */
  async hurry({ key, delivery }: Placed): Promise<void> {
    await this.#deliveries.update(key, (current = delivery) =>
      current.state === 'waiting' ? { ...current, nextAt: '' } : current,
    );
  }

  /** A receiver that never comes back must not fill the disk: the oldest that wait are given up, then forgotten. */
  async #prune(): Promise<void> {
    const { waiting, done, ids } = await this.#places();
    for (const key of [...waiting.keys()].slice(0, -hookLimits.waiting)) {
      const delivery = await this.#deliveries.get(key);
      if (delivery) await this.replace(givenUp({ key, delivery }, 'dropped'));
    }
    for (const key of [...done].sort().slice(0, -hookLimits.finished)) {
      await this.#deliveries.delete(key);
      done.delete(key);
      ids.delete(key);
    }
  }

  /** Read once, because only this class writes it. */
  #places(): Promise<Index> {
    this.#index ??= this.list().then(
      (all) => {
        const places: Index = { waiting: new Map(), done: new Set(), ids: new Map(), lastNumber: 0 };
        for (const placed of all) note(places, placed);
        return places;
      },
      (error: unknown) => {
        this.#index = undefined;
        throw error;
      },
    );
    return this.#index;
  }
}

function note(places: Index, { key, delivery: { request_id: id, state, stream } }: Placed): void {
  places.ids.set(key, id);
  const isNewest = Number(key) > places.lastNumber;
  if (isNewest) places.lastNumber = Number(key);
  if (state !== 'waiting') {
    places.waiting.delete(key);
    places.done.add(key);
    return;
  }
  const isAgain = !isNewest && !places.waiting.has(key);
  places.done.delete(key);
  places.waiting.set(key, stream);
  // A delivery that is retried goes back to its position, before later ones.
  if (isAgain) places.waiting = new Map([...places.waiting].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const sentences = {
  off: 'callbacks were turned off before the event was sent',
  dropped: `more than ${hookLimits.waiting} events were pending, and this was the oldest`,
} as const;

/** Delivery that will not be sent automatically any more, for a reason on our side. */
export function givenUp({ key, delivery }: Placed, failure: keyof typeof sentences): Placed {
  const why = { failure, fact: '', said: '', error: sentences[failure] };
  return { key, delivery: { ...delivery, ...why, state: 'failed', nextAt: '' } };
}
