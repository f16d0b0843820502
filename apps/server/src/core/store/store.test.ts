import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog, type RedisAddress } from '@weir/plane';
import { parseStoreAddress } from '@weir/plane/store-address';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { RedisServer } from '../../../../../tests/redis-server.fixture.ts';
import { backUpToday } from './daily-backup.ts';
import { MemoryStore } from './memory-store.ts';
import { RedisStore } from './redis/redis-store.ts';
import { SqliteStore, steps } from './sqlite-store.ts';
import type { Store } from './store.ts';

const directory = mkdtempSync(join(tmpdir(), 'weir-store-'));
afterAll(() => rmSync(directory, { recursive: true }));
const log = createLog('test', 'error');
log.level = 'silent';
const Note = z.object({ text: z.string(), count: z.number().default(0) });

let files = 0;
const newFile = () => join(directory, `${files++}.db`);

let redis: RedisServer;
const onRedis: RedisStore[] = [];
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(async () => {
  for (const store of onRedis) await store.close();
  await redis.close();
});
function newRedisStore(): RedisStore {
  const store = new RedisStore(parseStoreAddress(`${redis.url}?prefix=test-${onRedis.length}`) as RedisAddress, log);
  onRedis.push(store);
  return store;
}

describe.each<[string, () => Store]>([
  ['memory', () => new MemoryStore()],
  ['sqlite', () => new SqliteStore(newFile(), log)],
  ['redis', newRedisStore],
])('the %s store', (_name, create) => {
  it('returns what was put, and nothing for a free key', async () => {
    const notes = create().collection('notes', Note);
    await notes.put('a', { text: 'one', count: 1 });
    expect(await notes.get('a')).toEqual({ text: 'one', count: 1 });
    expect(await notes.get('b')).toBeUndefined();
  });

  it('keeps collections apart and lists by key', async () => {
    const store = create();
    const notes = store.collection('notes', Note);
    await notes.put('b', { text: 'two', count: 0 });
    await notes.put('a', { text: 'one', count: 0 });
    await store.collection('others', Note).put('c', { text: 'three', count: 0 });
    expect((await notes.list()).map(({ key, value }) => [key, value.text])).toEqual([
      ['a', 'one'],
      ['b', 'two'],
    ]);
  });

  it('lets one of two inserts win', async () => {
    const notes = create().collection('notes', Note);
    const results = await Promise.all(['x', 'y'].map((text) => notes.insert('a', { text, count: 0 })));
    expect(results).toEqual([true, false]);
    expect((await notes.get('a'))?.text).toBe('x');
  });

  it('updates in one transaction', async () => {
    const notes = create().collection('notes', Note);
    const add = () => notes.update('a', (current) => ({ text: 'n', count: (current?.count ?? 0) + 1 }));
    await Promise.all(Array.from({ length: 50 }, add));
    expect((await notes.get('a'))?.count).toBe(50);
  });

  it('applies several changes in one transaction, or none of them', async () => {
    const notes = create().collection('notes', Note);
    await notes.put('a', { text: 'old', count: 0 });
    await notes.apply([{ key: 'a' }, { key: 'b', value: { text: 'new', count: 1 } }, { key: 'none' }]);
    expect(await notes.list()).toEqual([{ key: 'b', value: { text: 'new', count: 1 } }]);
    const bad = { text: 3 } as unknown as z.output<typeof Note>;
    await expect(
      notes.apply([
        { key: 'c', value: { text: 'x', count: 0 } },
        { key: 'd', value: bad },
      ]),
    ).rejects.toThrow();
    expect((await notes.list()).map(({ key }) => key)).toEqual(['b']);
    await notes.apply([]);
  });

  it('has single values: created once, updated in one transaction, under the key of their name', async () => {
    const store = create();
    const note = store.single('notes/only', Note);
    expect(await note.get()).toBeUndefined();
    const made = await Promise.all(['x', 'y'].map((text) => note.first(() => ({ text, count: 0 }))));
    expect(made.map(({ text }) => text)).toEqual(['x', 'x']);
    expect(await note.insert({ text: 'z', count: 0 })).toBe(false);
    await note.update((current) => ({ text: 'n', count: (current?.count ?? 0) + 1 }));
    expect(await store.collection('notes', Note).get('only')).toEqual({ text: 'n', count: 1 });
    expect(await note.delete()).toBe(true);
  });

  it('has settings, which are their defaults until they are written', async () => {
    const store = create();
    const Sizes = z.object({ width: z.number().default(3), height: z.number().default(4) });
    const sizes = store.setting('sizes/window', Sizes);
    expect(await sizes.read()).toEqual({ width: 3, height: 4 });
    expect(await store.collection('sizes', Sizes).list()).toEqual([]);
    expect(await sizes.update((current) => ({ ...current, width: current.height }))).toEqual({ width: 4, height: 4 });
    expect(await store.collection('sizes', Sizes).get('window')).toEqual({ width: 4, height: 4 });
    expect(() => store.setting('notes/only', Note)).toThrow();
    expect(() => store.setting('sizes', Sizes)).toThrow('names no key');
  });

  it('reports whether it deleted something', async () => {
    const notes = create().collection('notes', Note);
    await notes.put('a', { text: 'one', count: 0 });
    expect(await notes.delete('a')).toBe(true);
    expect(await notes.delete('a')).toBe(false);
  });

  it('fills fields that an older version lacked, and names what it cannot read', async () => {
    const store = create();
    await store.collection('notes', z.object({ text: z.string() })).put('a', { text: 'old' });
    expect(await store.collection('notes', Note).get('a')).toEqual({ text: 'old', count: 0 });
    const other = store.collection('notes', z.object({ text: z.number() }));
    await expect(other.get('a')).rejects.toThrow('notes/a');
  });

  it('refuses to write what its schema does not allow', async () => {
    const notes = create().collection('notes', z.object({ text: z.string().max(3) }));
    await expect(notes.put('a', { text: 'long' })).rejects.toThrow();
    expect(await notes.get('a')).toBeUndefined();
  });
});

describe('the sqlite store on disk', () => {
  it('is readable by its owner alone and persists after closing', async () => {
    const file = newFile();
    const first = new SqliteStore(file, log);
    await first.collection('notes', Note).put('a', { text: 'one', count: 0 });
    const files = [file, `${file}-wal`, `${file}-shm`];
    const modes = () => files.map((each) => statSync(each).mode & 0o777);
    expect(modes()).toEqual([0o600, 0o600, 0o600]);
    // File modes of an earlier version.
    for (const each of files) chmodSync(each, 0o644);
    const second = new SqliteStore(file, log);
    await second.check();
    expect(modes()).toEqual([0o600, 0o600, 0o600]);
    await second.close();
    await first.close();
    expect(await new SqliteStore(file, log).collection('notes', Note).get('a')).toEqual({ text: 'one', count: 0 });
  });

  it('answers store_unavailable while the file is unusable, and recovers when it is usable again', async () => {
    const file = newFile();
    writeFileSync(file, 'this is not a database, and it is long enough to be read as one'.repeat(20));
    const store = new SqliteStore(file, log);
    await expect(store.check()).rejects.toMatchObject({ kind: 'store_unavailable', code: 1007, status: 500 });
    rmSync(file);
    await store.check();
  });

  it('refuses a file of a newer version without touching it', async () => {
    const file = newFile();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    await expect(new SqliteStore(file, log).check()).rejects.toThrow('newer version of Weir');
    expect(new DatabaseSync(file).prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
  });

  it('migrates an older file and keeps it beside the new one', async () => {
    const file = newFile();
    await new SqliteStore(file, log).collection('notes', Note).put('a', { text: 'one', count: 0 });
    const next = [...steps, (db: DatabaseSync) => db.exec('CREATE TABLE more (id INTEGER) STRICT')];
    const store = new SqliteStore(file, log, next);
    expect((await store.collection('notes', Note).get('a'))?.text).toBe('one');
    const kept = new SqliteStore(`${file}.format-1`, log);
    expect((await kept.collection('notes', Note).get('a'))?.text).toBe('one');
  });

  it('leaves the old version when a migration fails half-way', async () => {
    const file = newFile();
    await new SqliteStore(file, log).collection('notes', Note).put('a', { text: 'one', count: 0 });
    const broken = [...steps, (db: DatabaseSync) => db.exec('CREATE TABLE more (id INTEGER) STRICT; nonsense')];
    await expect(new SqliteStore(file, log, broken).check()).rejects.toMatchObject({ kind: 'store_unavailable' });
    expect((await new SqliteStore(file, log).collection('notes', Note).get('a'))?.text).toBe('one');
  });

  it('backs up while writes continue, once a day, for the last seven days', async () => {
    const store = new SqliteStore(newFile(), log);
    const notes = store.collection('notes', Note);
    await notes.put('a', { text: 'one', count: 0 });
    const backups = join(directory, 'backups');
    for (let day = 1; day <= 9; day++) {
      const copying = backUpToday(store, backups, new Date(`2026-01-0${day}T12:00:00Z`));
      await notes.put('b', { text: `day ${day}`, count: day });
      await copying;
    }
    await backUpToday(store, backups, new Date('2026-01-09T13:00:00Z'));
    expect(readdirSync(backups).sort()).toEqual([3, 4, 5, 6, 7, 8, 9].map((day) => `weir-2026-01-0${day}.db`));
    const copy = new SqliteStore(join(backups, 'weir-2026-01-09.db'), log).collection('notes', Note);
    expect((await copy.get('a'))?.text).toBe('one');
  });

  it('F12: keeps the copies of real days when the clock was wrong for a while', async () => {
    const store = new SqliteStore(newFile(), log);
    await store.check();
    const backups = join(directory, 'backups-of-a-wrong-clock');
    const days = (month: string, first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, n) => `${month}-${String(first + n).padStart(2, '0')}`);
    for (const day of [...days('2099-05', 1, 7), ...days('2026-01', 1, 7)])
      await backUpToday(store, backups, new Date(`${day}T12:00:00Z`));
    expect(readdirSync(backups).sort()).toEqual(days('2026-01', 1, 7).map((day) => `weir-${day}.db`));
  });
});
