import { type HookDelivery, isRetriable } from '@weir/contract';
import type { Log } from '@weir/plane';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { afterTry } from './delivery-plan.ts';
import { type DeliveryRepository, givenUp } from './delivery-repository.ts';
import type { HookSender } from './hook-sender.ts';
import type { HooksRepository } from './hooks-repository.ts';
import type { TriedDelivery } from './note-tried.ts';

interface Context {
  readonly hooks: HooksRepository;
  readonly deliveries: DeliveryRepository;
  readonly sender: Pick<HookSender, 'send'>;
  /** Called after each attempt. */
  readonly onTried: (tried: TriedDelivery) => void;
  readonly log: Log;
  readonly clock: Clock;
}

/** Pause while the store fails, whose return has no event, or while nothing is due. */
const idleMs = 60_000;
const storeRetryMs = 5000;

/** Events that need no permission. Stored until the receiver has accepted them, and sent in order: a failing event blocks those behind it. */
export class DeliveryQueue {
  readonly #context: Context;
  #wake = new AbortController();
  /** Callers that wait for the first attempt of an event. */
  readonly #watched = new Map<string, () => void>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Returns false if it was added before. */
  async add(delivery: HookDelivery): Promise<boolean> {
    const isNew = await this.#context.deliveries.add(delivery);
    this.wake();
    return isNew;
  }

  /** Stores the event. `tried` ends with its first attempt, or after `withinMs`. */
  async addWatched(delivery: HookDelivery, withinMs: number): Promise<{ tried: Promise<void> }> {
    const { request_id: id } = delivery;
    const first = Promise.withResolvers<void>();
    this.#watched.set(id, first.resolve);
    const gone = new AbortController();
    const patience = this.#context.clock.pause(withinMs, gone.signal).catch(() => undefined);
    const tried = Promise.race([first.promise, patience]).finally(() => {
      this.#watched.delete(id);
      gone.abort();
    });
    // Deliveries of an earlier process are sent in order, or were sent before.
    if (!(await this.add(delivery))) first.resolve();
    return { tried };
  }

  wake(): void {
    this.#wake.abort();
  }

  /** Makes every waiting delivery due now. Returns whether any belongs to this stream. */
  async hurry(stream?: string): Promise<boolean> {
    const { deliveries } = this.#context;
    const head = await deliveries.firstWaiting();
    if (head) await deliveries.hurry(head);
    this.wake();
    return stream !== undefined && deliveries.isWaiting(stream);
  }

  /** Requeues a delivery that was given up. */
  async retry(requestId: string): Promise<void> {
    const placed = (await this.#context.deliveries.list()).find(({ delivery }) => delivery.request_id === requestId);
    if (!placed) throw new WeirError('not_found', 'this delivery no longer exists');
    const { delivery } = placed;
    if (!isRetriable(delivery)) {
      throw new WeirError(
        'invalid_input',
        'the event was already delivered, or its publisher already has the response',
      );
    }
    const createdAt = delivery.state === 'waiting' ? delivery.createdAt : isoNow(this.#context.clock);
    await this.#context.deliveries.replace({ ...placed, delivery: { ...delivery, createdAt, state: 'waiting' } });
    await this.hurry();
  }

  /** Works until the server stops. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const pauseMs = await this.#step(signal).catch((error: unknown) => {
        this.#context.log.error({ err: error }, 'callbacks are waiting for the settings store');
        return storeRetryMs;
      });
      const ended = AbortSignal.any([signal, this.#wake.signal]);
      if (pauseMs > 0) await this.#context.clock.pause(pauseMs, ended).catch(() => undefined);
    }
  }

  /** Sends due deliveries; returns the time until the next one. */
  async #step(signal: AbortSignal): Promise<number> {
    const { hooks, deliveries, sender } = this.#context;
    const head = await deliveries.firstWaiting();
    if (!head) return idleMs;
    const { all, target } = await hooks.settings();
    if (!all || target === '') {
      await deliveries.replace(givenUp(head, 'off'));
      this.#watched.get(head.delivery.request_id)?.();
      return 0;
    }
    const dueInMs = head.delivery.nextAt === '' ? 0 : Date.parse(head.delivery.nextAt) - this.#context.clock.dateMs();
    if (dueInMs > 0) return Math.min(dueInMs, idleMs);
    const tried = await sender.send(head.delivery, { signal });
    this.#context.onTried({ ...tried, action: head.delivery.action });
    await deliveries.replace({ ...head, delivery: afterTry(head.delivery, tried, this.#context.clock.dateMs()) });
    this.#watched.get(head.delivery.request_id)?.();
    return 0;
  }
}
