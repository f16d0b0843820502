import { createLog, type RedisAddress } from '@weir/plane';
import { parseStoreAddress } from '@weir/plane/store-address';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { RedisCluster } from '../../../../../../tests/redis-cluster.fixture.ts';
import { RedisSentinels } from '../../../../../../tests/redis-sentinel.fixture.ts';
import type { RedisServer } from '../../../../../../tests/redis-server.fixture.ts';
import { openPrimary } from './primary-connection.ts';
import type { Reply } from './redis-connection.ts';
import { RedisStore } from './redis-store.ts';

const log = createLog('test', 'error');
log.level = 'silent';
const unavailable = { kind: 'store_unavailable', code: 1007 };
const addressOf = (text: string) => parseStoreAddress(text) as RedisAddress;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
function numbersIn(url: string) {
  const store = new RedisStore(addressOf(url), log);
  open.push(store);
  return store.collection('numbers', z.number());
}
async function callOn(server: RedisServer, ...words: string[]): Promise<Reply> {
  const connection = await openPrimary(addressOf(server.url));
  try {
    return await connection.call(words);
  } finally {
    connection.close();
  }
}
const roleOf = async (server: RedisServer) => {
  const role = await callOn(server, 'ROLE').catch(() => []);
  return Array.isArray(role) ? role[0] : undefined;
};
async function findPrimary(servers: readonly RedisServer[]): Promise<RedisServer> {
  for (const server of servers) if ((await roleOf(server)) === 'master') return server;
  throw new Error('there is no primary');
}

let sentinels: RedisSentinels;
let cluster: RedisCluster;
beforeAll(async () => {
  [sentinels, cluster] = await Promise.all([RedisSentinels.start(), RedisCluster.start()]);
});
afterAll(async () => {
  await sentinels.close();
  await cluster.close();
});

/** Writes until a write is confirmed, and returns the milliseconds until then. */
async function timeUntilWritten(numbers: ReturnType<typeof numbersIn>): Promise<number> {
  const since = performance.now();
  await expect
    .poll(
      () =>
        numbers.put('probe', 1).then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
  return performance.now() - since;
}

it('continues to write within 10 s after the primary that Sentinels watch was killed', async () => {
  const numbers = numbersIn(sentinels.url);
  await timeUntilWritten(numbers);
  await numbers.put('before', 7);
  const primary = await findPrimary(sentinels.servers);
  await primary.kill();
  await expect(numbers.put('during', 1)).rejects.toMatchObject(unavailable);
  expect(await timeUntilWritten(numbers)).toBeLessThan(10_000);
  expect(await numbers.get('before')).toBe(7);
  await primary.startAgain();
  await expect.poll(() => roleOf(primary)).toBe('slave');
});

it('finds the primary while Sentinels are gone, and reports why it cannot', async () => {
  const [host = ''] = sentinels.sentinels.map(({ port }) => `127.0.0.1:${port}`);
  await timeUntilWritten(numbersIn(sentinels.address({ hosts: ['127.0.0.1:1', host] })));
  const unknown = numbersIn(sentinels.address({ name: 'other' }));
  await expect(unknown.get('a')).rejects.toThrow('do not know a primary of this name');
  const gone = numbersIn(sentinels.address({ hosts: ['127.0.0.1:1', '127.0.0.1:2'] }));
  await expect(gone.get('a')).rejects.toThrow('cannot be reached');
  const withoutPassword = numbersIn(`redis+sentinel://${host}/main`);
  await expect(withoutPassword.get('a')).rejects.toThrow('requires a password');
});

it('answers 1007 to a write that no replica confirms, and reads meanwhile', async () => {
  const numbers = numbersIn(sentinels.url);
  await timeUntilWritten(numbers);
  const primary = await findPrimary(sentinels.servers);
  const replicas = sentinels.servers.filter((server) => server !== primary);
  for (const replica of replicas) process.kill(replica.pid, 'SIGSTOP');
  try {
    const write = numbers.put('unconfirmed', 1);
    const read = numbers.get('probe');
    await expect(write).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('no replica') });
    expect(await read).toBe(1);
    expect(await numbers.get('probe')).toBe(1);
    await expect(numbers.insert('unconfirmed too', 1)).rejects.toMatchObject(unavailable);
  } finally {
    for (const replica of replicas) process.kill(replica.pid, 'SIGCONT');
  }
  await timeUntilWritten(numbers);
});

it('confirms without a replica if the address says so', async () => {
  const numbers = numbersIn(`${sentinels.url}&replicas=0`);
  await timeUntilWritten(numbers);
  const primary = await findPrimary(sentinels.servers);
  const replicas = sentinels.servers.filter((server) => server !== primary);
  for (const replica of replicas) process.kill(replica.pid, 'SIGSTOP');
  try {
    await numbers.put('alone', 1);
  } finally {
    for (const replica of replicas) process.kill(replica.pid, 'SIGCONT');
  }
});

it('names the address form that a cluster needs', async () => {
  const [server] = cluster.servers;
  const results = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((prefix) => numbersIn(`${server?.url}?prefix=${prefix}`).put('a', 1)),
  );
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  expect(reasons).toContainEqual(expect.stringContaining('redis+cluster://'));
});

it('writes to the server of its slot in a cluster, whichever member it is given, and follows a failover', async () => {
  for (const { port } of cluster.servers) {
    const numbers = numbersIn(`redis+cluster://127.0.0.1:${port}?prefix=any`);
    await timeUntilWritten(numbers);
    await numbers.update(`n${port}`, (current = 0) => current + 1);
  }
  const prefix = 'moved';
  const numbers = numbersIn(`${cluster.url}?prefix=${prefix}`);
  await timeUntilWritten(numbers);
  await numbers.put('before', 7);
  const owner = await cluster.findOwner(`{${prefix}}:format`);
  await owner.kill();
  expect(await timeUntilWritten(numbers)).toBeLessThan(10_000);
  expect(await numbers.get('before')).toBe(7);
});
