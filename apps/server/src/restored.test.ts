import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '@weir/plane';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createTestApp } from './app.fixture.ts';
import { SqliteStore } from './core/store/sqlite-store.ts';

const api = '/terraform/v1';
const base = mkdtempSync(join(tmpdir(), 'weir-restored-'));
const good = join(base, 'good.db');
const outside = join(base, 'outside');
const canaries = ['index.m3u8', 'index.mp4', 'notes.txt', 'segments.log'];

async function open(dataDir: string) {
  const log = createLog('test', 'error');
  log.level = 'silent';
  return createTestApp({ dataDir, store: new SqliteStore(join(dataDir, 'weir.db'), log) });
}

/** A data directory with these settings in the place of its own, as a person restores them. */
function restored(name: string, change: (db: DatabaseSync) => void = () => undefined): string {
  const directory = join(base, name);
  mkdirSync(directory);
  copyFileSync(good, join(directory, 'weir.db'));
  const db = new DatabaseSync(join(directory, 'weir.db'));
  change(db);
  db.close();
  return directory;
}

/** The settings of a server that was in use, and files of somebody's beside the data directories. */
beforeAll(async () => {
  const directory = join(base, 'first');
  mkdirSync(directory);
  const app = await open(directory);
  const { bearer } = await app.setUp();
  await app.post(`${api}/mgmt/beian/update`, { beian: 'title', text: 'kept' }, { authorization: `Bearer ${bearer}` });
  await app.close();
  copyFileSync(join(directory, 'weir.db'), good);
  mkdirSync(outside);
  for (const name of canaries) writeFileSync(join(outside, name), name);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

it('S31: reports settings that cannot be read, leaves them unchanged, and continues with good ones', async () => {
  const directory = restored('damaged');
  const file = join(directory, 'weir.db');
  const newer = join(
    restored('newer', (db) => db.exec('PRAGMA user_version = 99')),
    'weir.db',
  );
  const whole = readFileSync(good);
  const damaged = /damaged; daily backups are in the backup directory/;
  const broken: [Buffer, RegExp][] = [
    [randomBytes(100_000), damaged],
    [whole.subarray(0, 5000), damaged],
    [readFileSync(newer), /newer version of Weir/],
  ];
  const put = (bytes: Buffer) => {
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(file, bytes);
  };
  put(broken[0]?.[0] ?? whole);
  const { post, close } = await open(directory);
  onTestFinished(close);
  for (const [bytes, words] of broken) {
    put(bytes);
    const answer = await post(`${api}/mgmt/check`);
    expect(answer).toMatchObject({ status: 500, code: 1007, data: { message: expect.stringMatching(words) } });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }
  put(whole);
  expect((await post(`${api}/mgmt/login`, { password: 'the password' })).status).toBe(200);
  expect((await post(`${api}/mgmt/beian/query`)).data).toMatchObject({ title: 'kept' });
});

it('S31: follows no path in foreign settings, and one bad value affects no other', async () => {
  const atMs = Date.now();
  const away = '../../outside';
  const recording = {
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'x',
    startedAtMs: atMs,
    updatedAtMs: atMs,
    segments: 1,
  };
  const fine = '00000000-0000-4000-8000-000000000001';
  const job = { owner: 'record', lane: away, isSpooled: true, bytes: 1, key: away, type: 'video/mp4', atMs };
  const rows: [collection: string, key: string, value: unknown][] = [
    ['recordings', away, { ...recording, uuid: away, state: 'finishing', endedAtMs: 1 }],
    ['recordings', 'a', { ...recording, uuid: away, state: 'recording' }],
    ['recordings', 'b', { ...recording, uuid: away, state: 'done', endedAtMs: 1, segmentsAre: 'removing' }],
    ['recordings', 'c', { ...recording, uuid: 7, state: 'unheard of' }],
    ['recordings', 'd', 'x'.repeat(5_000_000)],
    ['recordings', fine, { ...recording, uuid: fine, stream: 'fine', state: 'done', endedAtMs: atMs }],
    ['record', 'settings', { all: true, globs: ['['.repeat(1000)], processCpDir: '/data/../../outside' }],
    ['source', away, { uuid: away, type: 'upload', state: 'receiving', name: away, created: '2020-01-01T00:00:00Z' }],
    ['uploads', '0000000000000001', { ...job, id: away, file: join(outside, 'notes.txt') }],
    ['vlive', 'wx', { platform: 'wx', enabled: true, server: 'rtmp://127.0.0.1/', files: [{ target: away }] }],
    ['forward', 'wx', []],
    ['certs', 'only', { provider: 'lets', domain: away }],
    ['hls', 'only', { noHlsCtx: 'yes' }],
    ['ended-session', 'x', null],
  ];
  const directory = restored('hostile', (db) => {
    const put = db.prepare('INSERT OR REPLACE INTO entries (collection, key, value, updated_at) VALUES (?, ?, ?, 0)');
    for (const [collection, key, value] of rows) put.run(collection, key, JSON.stringify(value));
    put.run('contact', 'only', '{"torn');
  });
  const { post, inject, close } = await open(directory);
  onTestFinished(close);
  const { data: session } = await post(`${api}/mgmt/login`, { password: 'the password' });
  const headers = { authorization: `Bearer ${session.bearer}` };
  const call = (path: string, body: object = {}) => post(`${api}/${path}`, body, headers);
  const streams = async () =>
    ((await call('hooks/record/files')).data as { stream: string }[]).map(({ stream }) => stream);
  await vi.waitFor(async () => expect(await streams()).toContain('fine'));
  expect((await call('mgmt/status')).status).toBe(200);
  for (const path of ['remove', 'sign', 'retry', 'end'])
    expect([path, (await call(`hooks/record/${path}`, { uuid: away })).status]).toEqual([path, 404]);
  const url = `${api}/hooks/record/hls/${encodeURIComponent(away)}/index.mp4`;
  expect((await inject({ url, headers })).statusCode).toBe(404);
  // Impossible work must not spin.
  const { user, system } = process.cpuUsage();
  await sleep(2000);
  const spent = process.cpuUsage();
  expect(spent.user + spent.system - user - system).toBeLessThan(1_000_000);
  expect(readdirSync(outside).sort()).toEqual(canaries);
  for (const name of canaries) expect(readFileSync(join(outside, name), 'utf8')).toBe(name);
});
