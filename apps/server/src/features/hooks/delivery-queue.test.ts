import { type HookDelivery, hookLimits } from '@weir/contract';
import { createLog } from '@weir/plane';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { DeliveryRepository } from './delivery-repository.ts';
import { hookMessage } from './hook-message.ts';
import type { Tried } from './hook-sender.ts';
import { HooksRepository } from './hooks-repository.ts';
import { newDelivery } from './hooks-service.ts';

type Pause = Parameters<Clock['pause']>;

const startMs = Date.parse('2026-01-02T00:00:00.000Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A queue whose receiver is away for the first hour, in a world where an hour takes no time. */
function world(eventsAtMs: readonly number[]) {
  const store = new MemoryStore();
  const log = createLog('test', 'error');
  log.level = 'silent';
  const end = new AbortController();
  let nowMs = startMs;
  const clock = { dateMs: () => nowMs, elapsedMs: () => nowMs - startMs, pause: (...time: Pause) => pause(...time) };
  const [hooks, deliveries] = [new HooksRepository(store, clock), new DeliveryRepository(store)];
  const tries: { id: string; atMs: number }[] = [];
  const arrived: { id: string; atMs: number }[] = [];
  let most: readonly HookDelivery[] = [];

  const send = async ({ request_id: id, req }: Pick<HookDelivery, 'request_id' | 'req'>): Promise<Tried> => {
    const atMs = nowMs - startMs;
    tries.push({ id, atMs });
    const tried = { req, res: '', tookMs: 1, triedAt: new Date(nowMs).toISOString(), fact: '', said: '', error: '' };
    if (atMs < hourMs) return { ...tried, status: 0, failure: 'no-connection', outcome: 'failed' };
    arrived.push({ id, atMs });
    return { ...tried, status: 200, failure: '', outcome: 'delivered' };
  };
  const happenings: { readonly atMs: number; happen(): Promise<unknown> }[] = eventsAtMs.map((atMs, index) => ({
    atMs,
    happen: () => queue.add(event(`e${index}`, nowMs)),
  }));
  happenings.push({ atMs: 2 * hourMs, happen: async () => end.abort() });
  /** Time passes only while the queue rests, from one happening to the next. */
  const pause: Clock['pause'] = async (ms, signal) => {
    const untilMs = nowMs + ms;
    while (!signal?.aborted && nowMs < untilMs) {
      const next = happenings[0];
      const isNext = next !== undefined && startMs + next.atMs <= untilMs;
      nowMs = isNext ? startMs + next.atMs : untilMs;
      if (!isNext) break;
      happenings.shift();
      await next.happen();
    }
    if (tries.length % 100 !== 0) return;
    const all = (await deliveries.list()).map(({ delivery }) => delivery);
    if (all.length >= most.length) most = all;
  };
  const queue = new DeliveryQueue({ hooks, deliveries, sender: { send }, onTried: () => undefined, log, clock });
  return {
    deliveries,
    tries,
    arrived,
    most: () => most,
    async run() {
      await hooks.save({ ...(await hooks.settings()), target: 'http://receiver.test/', all: true });
      await queue.run(end.signal);
    },
  };
}

function event(id: string, atMs: number): HookDelivery {
  const message = { ...hookMessage('on_unpublish', { app: 'live', stream: 'show' }), requestId: id };
  return newDelivery(message, new Date(atMs).toISOString());
}

it('keeps an event that is added twice once, also in the next process', async () => {
  const store = new MemoryStore();
  const before = new DeliveryRepository(store);
  expect(await before.add(event('e1', startMs))).toBe(true);
  const deliveries = new DeliveryRepository(store);
  expect([await deliveries.add(event('e1', startMs)), await deliveries.add(event('e2', startMs))]).toEqual([
    false,
    true,
  ]);
  expect((await deliveries.list()).map(({ delivery }) => delivery.request_id)).toEqual(['e1', 'e2']);
});

describe('a receiver that is away for an hour', () => {
  it('gets every event of that hour afterwards, in order, each with the id of its first try', async () => {
    const { run, tries, arrived, deliveries } = world(Array.from({ length: 60 }, (_, minute) => minute * minuteMs));
    await run();
    expect(arrived.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, index) => `e${index}`));
    // The first waits at the head all the time: it is tried ever less often, and at last twice a minute.
    const ofFirst = tries.filter(({ id }) => id === 'e0').map(({ atMs }) => atMs);
    expect(ofFirst.slice(0, 7)).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 61_000]);
    expect(ofFirst.length).toBeLessThan(130);
    expect(tries.length).toBe(ofFirst.length + 59);
    // Once the receiver is back, nobody waits longer than one pause.
    expect(arrived.every(({ atMs }) => atMs <= hourMs + hookLimits.longestRetryMs)).toBe(true);
    expect((await deliveries.list()).every(({ delivery }) => delivery.state === 'delivered')).toBe(true);
  });

  it('causes a bounded queue, and the list names the events that were given up', async () => {
    const surplus = 200;
    const count = hookLimits.waiting + surplus;
    const { run, most, arrived, deliveries } = world(Array.from({ length: count }, (_, index) => index * 2500));
    await run();
    expect(most()).toHaveLength(hookLimits.waiting + hookLimits.finished);
    expect(most().filter(({ failure }) => failure === 'dropped')).toHaveLength(hookLimits.finished);
    expect(arrived.map(({ id }) => id)).toEqual(
      Array.from({ length: hookLimits.waiting }, (_, index) => `e${index + surplus}`),
    );
    expect((await deliveries.list()).length).toBeLessThanOrEqual(hookLimits.waiting + hookLimits.finished);
  });
});
