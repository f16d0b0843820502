import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, type RedisAddress } from '@weir/plane';
import { parseStoreAddress } from '@weir/plane/store-address';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { freePort } from '../../../../../../tests/free-port.fixture.ts';
import { RedisServer } from '../../../../../../tests/redis-server.fixture.ts';
import { selfSigned } from '../../outgoing/self-signed.fixture.ts';
import { SqliteStore } from '../sqlite-store.ts';
import { openPrimary } from './primary-connection.ts';
import { RedisStore } from './redis-store.ts';

const log = createLog('test', 'error');
log.level = 'silent';
const unavailable = { kind: 'store_unavailable', code: 1007 };

let directory: string;
let redis: RedisServer;
const open: { close(): unknown }[] = [];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weir-redis-store-'));
  redis = await RedisServer.start();
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
afterAll(async () => {
  await redis.close();
  rmSync(directory, { recursive: true });
});

const addressOf = (text: string) => parseStoreAddress(text) as RedisAddress;
function storeOn(text: string): RedisStore {
  const store = new RedisStore(addressOf(text), log);
  open.push(store);
  return store;
}
/** Sends a command as another program or a person would. */
async function speak(...words: string[]) {
  const connection = await openPrimary(addressOf(redis.url));
  open.push(connection);
  return connection.call(words);
}
const prefixed = (prefix: string) => `${redis.url}?prefix=${prefix}`;
const numbers = (store: RedisStore) => store.collection('numbers', z.number());

describe('the redis store', () => {
  it('names the database settings that put confirmed writes at risk, as they are now', async () => {
    // Needs its own server: a database killed while it rewrites its file loses data.
    const own = await RedisServer.start();
    open.push(own);
    const set = async (name: string, value: string) => {
      const connection = await openPrimary(addressOf(own.url));
      open.push(connection);
      await connection.call(['CONFIG', 'SET', name, value]);
    };
    const store = storeOn(own.url);
    expect(await store.risks()).toEqual([]);
    await set('appendfsync', 'everysec');
    expect(await store.risks()).toEqual(['appendfsync']);
    await set('maxmemory-policy', 'allkeys-lru');
    await set('appendonly', 'no');
    expect(await store.risks()).toEqual(['maxmemory-policy', 'appendonly']);
    await set('maxmemory-policy', 'noeviction');
    await set('appendonly', 'yes');
    await set('appendfsync', 'always');
    expect(await store.risks()).toEqual([]);
  });

  it('loses no confirmed write and leaves none half done when the database is killed, and recovers with it', async () => {
    const entries = storeOn(prefixed('killed')).collection('entries', z.number());
    let confirmed = 0;
    for (let round = 0; round < 5; round++) {
      const enough = confirmed + 1 + round * 7;
      const writing = (async () => {
        // Two that belong together: of one that was not confirmed there are both or none.
        for (let n = confirmed + 1; ; n++) {
          await entries.apply([
            { key: `left-${n}`, value: n },
            { key: `right-${n}`, value: n },
          ]);
          confirmed = n;
          if (n === enough) void redis.kill();
        }
      })();
      await expect(writing).rejects.toMatchObject(unavailable);
      await expect(entries.get('left-1')).rejects.toMatchObject(unavailable);
      await redis.startAgain();
      await expect.poll(() => entries.get('left-1').catch(() => undefined)).toBe(1);
      const stored = (await entries.list()).map(({ key }) => key);
      for (let n = 1; n <= confirmed; n++) expect(stored).toContain(`left-${n}`);
      const ends = ['left-', 'right-'].map((side) => stored.filter((key) => key.startsWith(side)).length);
      expect(ends[0]).toBe(ends[1]);
    }
  });

  it('answers 1007 while the database hangs, and recovers with it', async () => {
    const own = await RedisServer.start();
    open.push(own);
    const store = numbers(storeOn(own.url));
    await store.put('a', 1);
    process.kill(own.pid, 'SIGSTOP');
    await expect(Promise.all([store.get('a'), store.put('a', 2)])).rejects.toMatchObject(unavailable);
    process.kill(own.pid, 'SIGCONT');
    await expect
      .poll(() =>
        store
          .put('a', 3)
          .then(() => store.get('a'))
          .catch(() => undefined),
      )
      .toBe(3);
  });

  it('is shared by several processes: each update counts, one insert wins, all read the same', async () => {
    const [one, two] = [numbers(storeOn(prefixed('shared'))), numbers(storeOn(prefixed('shared')))];
    const add = (store: typeof one) => store.update('count', (current = 0) => current + 1);
    await Promise.all(Array.from({ length: 40 }, (_, n) => add(n % 2 === 0 ? one : two)));
    expect([await one.get('count'), await two.get('count')]).toEqual([40, 40]);
    const wins = await Promise.all([one.insert('first', 1), two.insert('first', 2)]);
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect(await one.get('first')).toBe(await two.get('first'));
  });

  it('uses its own database number and prefix only', async () => {
    const stores = ['', '/1', '?prefix=other', '/1?prefix=other'].map((end) => numbers(storeOn(`${redis.url}${end}`)));
    for (const [n, store] of stores.entries()) await store.put('a', n);
    expect(await Promise.all(stores.map((store) => store.get('a')))).toEqual([0, 1, 2, 3]);
  });

  it('signs in over TLS with its certificate, and reports when the sign-in is refused', async () => {
    const pair = await selfSigned();
    const [key, cert] = ['key', 'cert'].map((name) => join(directory, name)) as [string, string];
    writeFileSync(key, pair.key);
    writeFileSync(cert, pair.cert);
    const tls = [
      '--tls-cert-file',
      cert,
      '--tls-key-file',
      key,
      '--tls-ca-cert-file',
      cert,
      '--tls-auth-clients',
      'yes',
    ];
    const port = await freePort();
    const own = await RedisServer.start(['--requirepass', 'a secret', '--tls-port', String(port), ...tls]);
    open.push(own);
    const secure = `rediss://default:a%20secret@localhost:${port}`;
    const pairOfClient = `cert=${cert}&key=${key}`;
    await numbers(storeOn(`${secure}?ca=${cert}&${pairOfClient}`)).put('a', 1);
    await expect(storeOn(`${secure}?${pairOfClient}`).check()).rejects.toThrow('cannot be reached');
    await expect(storeOn(`${secure}?ca=${cert}`).check()).rejects.toThrow(/cannot be reached|was lost/);
    const byNumber = `${secure.replace('localhost', '127.0.0.1')}?ca=${cert}&${pairOfClient}`;
    await expect(storeOn(byNumber).check()).rejects.toThrow('cannot be reached');
    await storeOn(`${byNumber}&servername=localhost`).check();
    expect(await numbers(storeOn(`redis://:a%20secret@127.0.0.1:${own.port}`)).get('a')).toBe(1);
    const wrong = storeOn(`redis://:wrong@127.0.0.1:${own.port}`);
    await expect(wrong.check()).rejects.toThrow('rejected the user name or password');
    await expect(storeOn(own.url).check()).rejects.toThrow('requires a password');
  });

  it('does not become a new server when its settings are lost', async () => {
    const store = numbers(storeOn(prefixed('emptied')));
    await store.put('a', 1);
    await speak('FLUSHALL');
    for (const call of [store.get('a'), store.list(), store.put('a', 2), store.insert('b', 2)])
      await expect(call).rejects.toMatchObject({
        ...unavailable,
        message: expect.stringContaining('no longer contains'),
      });
    const next = numbers(storeOn(prefixed('emptied')));
    expect(await next.list()).toEqual([]);
  });

  it('refuses data of a newer version, and keys of another program', async () => {
    await speak('HSET', 'newer:format', 'version', '2', 'id', 'x');
    await expect(storeOn(prefixed('newer')).check()).rejects.toThrow('newer version of Weir');
    await speak('SET', 'taken:entries:numbers', 'mine');
    await expect(numbers(storeOn(prefixed('taken'))).put('a', 1)).rejects.toThrow('another program');
    expect(await speak('GET', 'taken:entries:numbers')).toBe('mine');
  });

  it('separates what is about files by data directory, and shares settings', async () => {
    const [one, two, again] = ['a', 'b', 'a'].map((dataId) => {
      const store = new RedisStore(addressOf(prefixed('files')), log, { dataId });
      open.push(store);
      return store;
    }) as [RedisStore, RedisStore, RedisStore];
    for (const name of ['recordings', 'dubbing-script-1', 'numbers'])
      await one.collection(name, z.number()).put('x', 1);
    const found = (store: RedisStore) => store.rows().then((rows) => rows.map(({ collection }) => collection).sort());
    expect(await found(again)).toEqual(['dubbing-script-1', 'numbers', 'recordings']);
    expect(await found(two)).toEqual(['numbers']);
    await two.replaceRows([]);
    expect(await found(one)).toEqual(['dubbing-script-1', 'recordings']);
  });

  it('writes a backup that the sqlite store reads', async () => {
    const store = storeOn(prefixed('backed-up'));
    await numbers(store).put('a', 1);
    await store.collection('texts', z.string()).put('b', 'two');
    const file = join(directory, 'backup.db');
    await store.backup(file);
    const copy = new SqliteStore(file, log);
    open.push(copy);
    expect(await copy.rows()).toEqual([
      { collection: 'numbers', key: 'a', value: '1' },
      { collection: 'texts', key: 'b', value: '"two"' },
    ]);
    const restored = storeOn(prefixed('restored'));
    await numbers(restored).put('old', 0);
    await restored.replaceRows(await copy.rows());
    expect(await numbers(restored).list()).toEqual([{ key: 'a', value: 1 }]);
  });
});
