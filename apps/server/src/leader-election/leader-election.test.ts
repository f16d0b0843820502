import { createLog, type RedisAddress } from '@weir/plane';
import { parseStoreAddress } from '@weir/plane/store-address';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { RedisServer } from '../../../../tests/redis-server.fixture.ts';
import { systemClock } from '../core/clock.ts';
import { leaseMs, RedisLease } from '../core/store/redis/redis-lease.ts';
import { RedisStore } from '../core/store/redis/redis-store.ts';
import { LeaderElection } from './leader-election.ts';

const log = createLog('test', 'error');
log.level = 'silent';

let redis: RedisServer;
const close: (() => unknown)[] = [];
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(async () => {
  for (const each of close) await each();
  await redis.close();
});

/** A control plane, of which all that is there is whether it leads. */
function plane(node: string, prefix: string) {
  const store = new RedisStore(parseStoreAddress(`${redis.url}?prefix=${prefix}`) as RedisAddress, log);
  const lease = new RedisLease(store, { node, url: `http://${node}` });
  const abort = new AbortController();
  const state = { isLeading: false, lost: '', lostAtMs: 0 };
  const leadership = new LeaderElection({
    lease,
    log,
    clock: systemClock,
    onLead: async () => {
      store.fence = lease.epoch;
      state.isLeading = true;
    },
    onLost: (reason) => {
      state.isLeading = false;
      state.lost = reason;
      state.lostAtMs = systemClock.elapsedMs();
    },
  });
  const run = () => void leadership.run(abort.signal, false).catch(() => undefined);
  const stop = () => abort.abort();
  close.push(stop, () => store.close());
  return { store, lease, leadership, state, run, stop, numbers: store.collection('numbers', z.number()) };
}

it('a group of servers has one leader at a time, and the next one fences off the previous one', async () => {
  const [one, two] = [plane('one', 'fence'), plane('two', 'fence')];
  one.run();
  await expect.poll(() => one.state.isLeading).toBe(true);
  two.run();
  await expect.poll(() => two.leadership.leader).toBe('http://one');
  await one.numbers.put('a', 1);
  await two.numbers.put('b', 2);
  // Simulates a suspended process: no renewal, without knowing it.
  const stoodStillAtMs = systemClock.elapsedMs();
  one.stop();
  await expect.poll(() => two.state.isLeading, { interval: 50 }).toBe(true);
  expect(systemClock.elapsedMs() - stoodStillAtMs).toBeLessThan(leaseMs + 3000);
  await expect(one.numbers.put('a', 3)).rejects.toThrow('another server has taken over');
  expect(await one.lease.renew()).toBe(false);
  await two.numbers.put('a', 4);
  expect(await one.numbers.get('a')).toBe(4);
});

it('takes over at once a leadership that was given up, and its own from before', async () => {
  const [one, two] = [plane('three', 'given-up'), plane('four', 'given-up')];
  expect(await one.lease.take()).toBe(true);
  expect(await two.lease.take()).toEqual({ leader: 'http://three' });
  const again = plane('three', 'given-up');
  expect(await again.lease.take()).toBe(true);
  expect(await one.lease.renew()).toBe(false);
  await one.lease.end();
  expect(await two.lease.take()).toEqual({ leader: 'http://three' });
  await again.lease.end();
  expect(await two.lease.take()).toBe(true);
});

it('lists the standby servers, for as long as they ask', async () => {
  const [one, two] = [plane('six', 'who'), plane('seven', 'who')];
  expect(await one.lease.take()).toBe(true);
  expect(await one.lease.standbys()).toEqual([]);
  await two.lease.take();
  expect(await one.lease.standbys()).toEqual(['http://seven']);
  await one.lease.end();
  expect(await two.lease.take()).toBe(true);
  expect(await two.lease.standbys()).toEqual([]);
});

it('stops leading before another server may begin, when it cannot reach the database', async () => {
  const own = plane('five', 'away');
  own.run();
  await expect.poll(() => own.state.isLeading).toBe(true);
  const awayAtMs = systemClock.elapsedMs();
  await redis.kill();
  await expect.poll(() => own.state.lost).toContain('did not respond');
  expect(own.state.lostAtMs - awayAtMs).toBeLessThan(leaseMs);
  await redis.startAgain();
});
