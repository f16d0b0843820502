import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createLog, type RedisAddress } from '@weir/plane';
import { parseStoreAddress } from '@weir/plane/store-address';
import { afterEach, expect, it } from 'vitest';
import * as z from 'zod';
import { RedisSentinels } from '../../../../../../tests/redis-sentinel.fixture.ts';
import { RedisServer } from '../../../../../../tests/redis-server.fixture.ts';
import { openPrimary } from './primary-connection.ts';
import { RedisStore } from './redis-store.ts';

/** `WEIR_TEST_KILLS=20 npx vitest run …/redis-kills.test.ts` kills more often than the suite; it prints the figures. */
const kills = Number(process.env.WEIR_TEST_KILLS ?? 4);
/** Each look opens connections to every Sentinel, and one that was killed follows again only seconds later. */
const seldom = { interval: 500 };
const log = createLog('test', 'error');
log.level = 'silent';

const open: { close(): unknown }[] = [];
// Also when a test ran out of time: nobody else would end them.
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** A process that writes through the store. */
class Writer {
  readonly confirmed: string[] = [];
  readonly #child: ChildProcess;

  constructor(url: string, round: number) {
    const fixture = join(import.meta.dirname, 'redis-writer.fixture.ts');
    const child = spawn(process.execPath, [fixture, url, String(round)], { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface({ input: child.stdout }).on('line', (line) => this.confirmed.push(`${round}-${line}`));
    this.#child = child;
    open.push(this);
  }

  async writeMore(count: number): Promise<void> {
    const enough = this.confirmed.length + count;
    await expect.poll(() => this.confirmed.length, { interval: 5, timeout: 120_000 }).toBeGreaterThanOrEqual(enough);
  }

  /** Resolves after its last line was read. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

interface Database {
  readonly url: string;
  readonly servers: readonly RedisServer[];
}

/** Kills the writer and the server it writes to in turn; returns how long writes were not possible. */
async function killInTurn({ url, servers }: Database): Promise<number[]> {
  const store = new RedisStore(parseStoreAddress(url) as RedisAddress, log);
  open.push(store);
  const entries = store.collection('entries', z.number());
  const confirmed: string[] = [];
  const pauses: number[] = [];
  for (let round = 0; round < kills; round++) {
    const writer = new Writer(url, round);
    await writer.writeMore(10 + 7 * (round % 5));
    if (round % 2 === 1) {
      const primary = await findPrimary(servers);
      const since = performance.now();
      await primary.kill();
      if (servers.length === 1) await primary.startAgain();
      await writer.writeMore(10);
      pauses.push(Math.round(performance.now() - since));
      if (servers.length > 1) await primary.startAgain();
    }
    await writer.close();
    confirmed.push(...writer.confirmed);
    await expect.poll(() => entries.get('0-0').catch(() => undefined)).toBe(0);
    const stored = new Set((await entries.list()).map(({ key }) => key));
    expect(confirmed.filter((key) => !stored.has(key))).toEqual([]);
    if (servers.length > 1) await expect.poll(() => countReplicas(url), seldom).toBe(servers.length - 1);
  }
  process.stdout.write(
    `${kills} kills, ${confirmed.length} confirmed writes, none lost; pauses: ${pauses.join(', ')} ms\n`,
  );
  return pauses;
}

async function readRole(url: string): Promise<readonly unknown[]> {
  const connection = await openPrimary(parseStoreAddress(url) as RedisAddress);
  try {
    const role = await connection.call(['ROLE']);
    return Array.isArray(role) ? role : [];
  } finally {
    connection.close();
  }
}

async function findPrimary(servers: readonly RedisServer[]): Promise<RedisServer> {
  for (const server of servers) if ((await readRole(server.url))[0] === 'master') return server;
  throw new Error('there is no primary');
}

/** Replicas that receive changes: without one a kill would leave nobody to take over. */
async function countReplicas(url: string): Promise<number> {
  const [, , replicas] = await readRole(url).catch(() => []);
  return Array.isArray(replicas) ? replicas.length : 0;
}

it('F26: loses no confirmed write when Weir or its only database server is killed', async () => {
  const redis = await RedisServer.start();
  open.push(redis);
  await killInTurn({ url: redis.url, servers: [redis] });
}, 600_000);

it('F26: loses no confirmed write when Weir or the primary behind Sentinels is killed, and writes again within 10 s', async () => {
  const sentinels = await RedisSentinels.start();
  open.push(sentinels);
  await expect.poll(() => countReplicas(sentinels.url), seldom).toBe(2);
  for (const pauseMs of await killInTurn(sentinels)) expect(pauseMs).toBeLessThan(10_000);
}, 600_000);
