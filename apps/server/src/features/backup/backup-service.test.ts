import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { S3Server } from '../../../../../tests/s3.fixture.ts';
import { until } from '../../../../../tests/weir.fixture.ts';
import { createRecoveryKey } from '../../backup/recovery-key.ts';
import { makeSelfSigned } from '../certs/pem-pair.ts';
import { RecordingRow } from '../record/library/recording-repository.ts';
import { type BackupServer, openServer, readSettings } from './backup.fixture.ts';

const recording = '00000000-0000-4000-8000-000000000001';

/** Settings in many parts, as an owner makes them. */
async function fill(server: BackupServer): Promise<void> {
  const { call, store, dataDir } = server;
  const forward = {
    platform: 'wx',
    server: 'rtmp://push.example/live',
    secret: 'key-of-mine',
    enabled: false,
    custom: true,
    label: 'Mine',
  };
  const calls: [string, object][] = [
    ['mgmt/beian/update', { beian: 'title', text: 'The old site' }],
    ['mgmt/limits/update', { vlive: 1234, camera: 2345 }],
    ['hooks/srs/keys/create', { name: 'Camera crew', streams: ['live/crew'] }],
    ['ffmpeg/forward/secret', { action: 'update', ...forward }],
    ['mgmt/hphls/update', { noHlsCtx: true }],
    ['live/room/create', { title: 'Studio' }],
    ['hooks/record/apply', { all: true }],
    ['mgmt/updates/update', { looks: false, base: 'https://releases.example/weir' }],
    ['mgmt/notifications/save', { name: 'Hook', service: 'webhook', fields: { url: 'https://hook.example/x' } }],
  ];
  for (const [path, body] of calls) {
    const { code, data } = await call(path, body);
    if (code !== 0) throw new Error(`${path}: ${JSON.stringify(data)}`);
  }
  const facts = { uuid: recording, vhost: '__defaultVhost__', app: 'live', stream: 'show', state: 'done', segments: 3 };
  const times = { startedAtMs: 1_700_000_000_000, endedAtMs: 1_700_000_100_000, updatedAtMs: 1_700_000_100_000 };
  await store.collection('recordings', RecordingRow).put(recording, RecordingRow.parse({ ...facts, ...times }));
  const pair = makeSelfSigned(new Date());
  mkdirSync(join(dataDir, 'config'), { recursive: true });
  writeFileSync(join(dataDir, 'config/nginx.crt'), pair.crt);
  writeFileSync(join(dataDir, 'config/nginx.key'), pair.key);
}

/** Facts of every file in a data directory, to see that none changed. */
function filesOf(directory: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/^(restore|backup)\b|-shm$|-wal$/.test(name)) continue;
    const path = join(directory, name);
    hash.update(`${name}\n`);
    if (/\.(crt|key|png|db)$/.test(name)) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

let first: BackupServer;
let identity: string;
let file: Buffer;
let settings: Record<string, unknown>;
beforeAll(async () => {
  first = await openServer();
  await first.signIn();
  await fill(first);
  expect((await first.backup('run')).data.message).toBe('create the recovery key first');
  identity = (await first.backup('key')).data.identity;
  settings = await readSettings(first);
  file = await first.download();
});
afterAll(() => first.close());

/** Another data directory with an administrator and settings of its own. */
async function openSecond(): Promise<BackupServer> {
  const second = await openServer();
  onTestFinished(() => second.close());
  await second.signIn('another password');
  await second.call('mgmt/beian/update', { beian: 'title', text: 'The new site' });
  return second;
}

describe('a backup', () => {
  it('restores every setting, key, certificate and entry of a recording on another data directory', async () => {
    const second = await openSecond();
    await second.upload(file);
    const { code, data: plan } = await second.backup('inspect', { key: identity });
    expect({ code, plan }).toMatchObject({
      code: 0,
      plan: { password: true, apiSecret: true, certificate: 'replaced', recordings: true, bytes: file.length },
    });
    expect(plan.changes).toContainEqual({ part: 'forward', added: 1, changed: 0, removed: 0 });
    expect(plan.changes).toContainEqual({ part: 'site', added: 1, changed: 1, removed: 0 });
    expect((await second.call('mgmt/beian/query')).data.title).toBe('The new site');
    expect((await second.backup('restore', { id: 'another plan' })).status).toBe(404);
    expect((await second.backup('restore', { id: plan.id })).code).toBe(0);
    await until(async () => second.restarted.includes('server'), 'the control server restarts');
    await second.close();

    const third = await openServer(second.dataDir);
    onTestFinished(() => third.close());
    await third.signIn();
    expect(await readSettings(third)).toEqual(settings);
    for (const name of ['config/nginx.crt', 'config/nginx.key'])
      expect(readFileSync(join(third.dataDir, name)).equals(readFileSync(join(first.dataDir, name)))).toBe(true);
    expect(existsSync(join(third.dataDir, 'restore'))).toBe(false);
    expect(readdirSync(join(third.dataDir, 'backup')).some((name) => name.startsWith('before-restore-'))).toBe(true);
    // The same key opens the backups of the restored server.
    expect((await third.backup('query')).data.recipient).toBe((await first.backup('query')).data.recipient);
    await third.upload(await third.download());
    expect((await third.backup('inspect', { key: identity })).data).toMatchObject({
      password: false,
      certificate: 'same',
    });
  });

  it('S31: is refused in words in fifty changed forms, and nothing changes', async () => {
    const second = await openSecond();
    const [before, sawBefore] = [filesOf(second.dataDir), await readSettings(second)];
    const forms: Buffer[] = [];
    for (let n = 0; n < 30; n++) {
      const changed = Buffer.from(file);
      const at = Math.floor((n * file.length) / 30);
      changed[at] = (changed[at] ?? 0) ^ (1 << (n % 8));
      forms.push(changed);
    }
    for (let n = 0; n < 12; n++) forms.push(file.subarray(0, Math.floor((n * file.length) / 12)));
    const half = Math.floor(file.length / 2);
    forms.push(
      Buffer.concat([file, Buffer.from('more')]),
      Buffer.concat([file, file]),
      Buffer.concat([file.subarray(0, half), file.subarray(half + 16)]),
      Buffer.concat([file.subarray(half), file.subarray(0, half)]),
      Buffer.from('SQLite format 3\0 and more'),
      Buffer.alloc(100_000),
      Buffer.from(file.toString('latin1').replace('age-encryption.org/v1', 'age-encryption.org/v9'), 'latin1'),
      Buffer.from(file.toString('utf8')),
    );
    expect(forms).toHaveLength(50);
    for (const form of forms) {
      expect((await second.upload(form)).code).toBe(0);
      const { status, data } = await second.backup('inspect', { key: identity });
      expect(status).toBe(422);
      expect(data.message).toMatch(/^(the backup|this file|this recovery key) /);
      expect(data.why.kind).toMatch(/^backup-/);
    }
    expect((await second.backup('restore', { id: '' })).status).toBe(404);
    expect(filesOf(second.dataDir)).toBe(before);
    expect(await readSettings(second)).toEqual(sawBefore);
    expect(second.restarted).toEqual([]);
  });

  it('is refused with another key, a damaged key, and without a file', async () => {
    const second = await openSecond();
    expect((await second.backup('inspect', { key: identity })).status).toBe(404);
    await second.upload(file);
    const refusals = [createRecoveryKey().identity, 'AGE-SECRET-KEY-1', ''].map(
      async (key) => (await second.backup('inspect', { key })).data.why.kind,
    );
    expect(await Promise.all(refusals)).toEqual(['backup-wrong-key', 'backup-bad-key', 'backup-bad-key']);
    await second.backup('discard');
    expect(existsSync(join(second.dataDir, 'restore'))).toBe(false);
  });

  it('keeps the list of recordings of the server where the backup has none', async () => {
    const { settings: current } = (await first.backup('query')).data;
    await first.backup('apply', { ...current, recordings: false });
    const without = await first.download();
    await first.backup('apply', current);
    const second = await openSecond();
    const row = await first.store.collection('recordings', RecordingRow).get(recording);
    if (row) await second.store.collection('recordings', RecordingRow).put(recording, { ...row, stream: 'mine' });
    await second.upload(without);
    const { data: plan } = await second.backup('inspect', { key: identity });
    expect(plan.recordings).toBe(false);
    expect(plan.changes.map(({ part }: { part: string }) => part)).not.toContain('recordings');
    await second.backup('restore', { id: plan.id });
    await second.close();
    const third = await openServer(second.dataDir);
    onTestFinished(() => third.close());
    await third.signIn();
    expect((await third.call('hooks/record/files')).data).toMatchObject([{ uuid: recording, stream: 'mine' }]);
  });

  it('S01: is restored on a new server with the set-up code, and by nothing else there', async () => {
    const fresh = await openServer();
    onTestFinished(() => fresh.close());
    for (const bearer of ['', 'x'.repeat(20)]) {
      fresh.useBearer(bearer);
      expect((await fresh.upload(file)).status).toBeGreaterThanOrEqual(401);
      expect((await fresh.backup('inspect', { key: identity })).status).toBeGreaterThanOrEqual(401);
    }
    expect(existsSync(join(fresh.dataDir, 'restore'))).toBe(false);
    fresh.useBearer((await fresh.app.setupCode()) ?? '');
    // The code opens nothing else.
    for (const path of ['mgmt/backup/query', 'mgmt/backup/key', 'mgmt/secret/query', 'mgmt/status'])
      expect([path, (await fresh.call(path)).status]).toEqual([path, 401]);
    expect((await fresh.upload(file)).code).toBe(0);
    const { data: plan } = await fresh.backup('inspect', { key: identity });
    expect((await fresh.backup('restore', { id: plan.id })).code).toBe(0);
    await fresh.close();
    const restored = await openServer(fresh.dataDir);
    onTestFinished(() => restored.close());
    expect(await restored.app.setupCode()).toBeUndefined();
    restored.useBearer('x');
    expect((await restored.upload(file)).status).toBe(401);
    await restored.signIn();
    expect((await restored.call('mgmt/beian/query')).data.title).toBe('The old site');
  });
});

describe('scheduled backups', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await S3Server.start();
  });
  afterAll(() => s3.close());

  /** A server whose clock the test moves past the time of the schedule; by minutes, because a storage refuses other days. */
  async function openScheduled(change: object) {
    let offsetMs = 0;
    const clock = {
      dateMs: () => Date.now() + offsetMs,
      elapsedMs: () => performance.now(),
      pause: (ms: number, signal?: AbortSignal) => sleep(Math.min(ms, 200), undefined, { signal }),
    };
    const server = await openServer(undefined, { clock });
    onTestFinished(() => server.close());
    await server.signIn();
    const key = (await server.backup('key')).data.identity;
    const status = async () => (await server.backup('query')).data;
    /** Schedules the next backup for the next minute but one, and lets the clock pass it. */
    const nextRun = async (next: object = {}) => {
      const at = new Date(clock.dateMs() + 90_000);
      const time = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
      const { settings: saved } = await status();
      const applied = await server.backup('apply', { ...saved, schedule: 'daily', keep: 2, ...change, ...next, time });
      expect(applied.code).toBe(0);
      const beganMs = clock.dateMs();
      expect((await status()).last?.at ?? '').not.toBe(at.toISOString());
      offsetMs += 120_000;
      await until(async () => Date.parse((await status()).last?.at ?? '') > beganMs, 'the scheduled backup');
      return (await status()).last;
    };
    return { ...server, key, status, nextRun };
  }

  it('go to a directory, of which the last ones stay, and are restored from there', async () => {
    const server = await openScheduled({ destination: 'directory' });
    expect(await server.status()).toMatchObject({ last: null, files: [] });
    for (let n = 0; n < 3; n++) expect(await server.nextRun()).toMatchObject({ ok: true, failure: '' });
    const { directory, files, next } = await server.status();
    expect(readdirSync(directory).sort()).toEqual(files.map(({ name }: { name: string }) => name).sort());
    expect(files).toHaveLength(2);
    expect(Date.parse(next)).toBeGreaterThan(Date.now());
    await server.upload(readFileSync(join(directory, files[0].name)));
    expect((await server.backup('inspect', { key: server.key })).data).toMatchObject({ password: false });
  });

  it('go to a bucket; a failure is an alert until the next success', async () => {
    const bucket = { ...s3.bucket, prefix: 'weir/main' };
    const server = await openScheduled({ destination: 'bucket', bucket });
    expect(await server.nextRun()).toMatchObject({ ok: true, failure: '' });
    const [name] = s3.keys().filter((key) => key.startsWith('weir/main/weir-'));
    await server.upload(s3.read(name ?? ''));
    expect((await server.backup('inspect', { key: server.key })).code).toBe(0);
    const alerts = async () =>
      (await server.call('mgmt/status')).data.alerts.filter(({ kind }: { kind: string }) => kind === 'backup');
    expect(await alerts()).toEqual([]);
    const failed = await server.nextRun({ bucket: { ...bucket, bucket: 'nowhere' } });
    expect(failed).toMatchObject({ ok: false, failure: 'storage', storage: 'no-bucket' });
    const place = { page: 'settings', tab: 'backup' };
    expect(await alerts()).toMatchObject([{ severity: 'bad', cause: 'storage', place }]);
    expect(await server.nextRun()).toMatchObject({ ok: true });
    expect(await alerts()).toEqual([]);
  });

  it('need a recovery key and a complete bucket; the test of a destination says what fails', async () => {
    const server = await openServer();
    onTestFinished(() => server.close());
    await server.signIn();
    expect((await server.backup('apply', { schedule: 'daily' })).data.message).toBe('create the recovery key first');
    await server.backup('key');
    expect((await server.backup('apply', { schedule: 'daily', destination: 'bucket' })).status).toBe(422);
    expect((await server.backup('test', { destination: 'directory' })).data).toMatchObject({ step: '', failure: '' });
    const wrong = { ...s3.bucket, secretAccessKey: 'wrong' };
    expect((await server.backup('test', { destination: 'bucket', bucket: wrong })).data).toMatchObject({
      failure: 'wrong-key',
    });
    writeFileSync(join(server.dataDir, 'file'), '');
    const other = await openServer(undefined, { env: { WEIR_BACKUPS: join(server.dataDir, 'file') } });
    onTestFinished(() => other.close());
    await other.signIn();
    expect((await other.backup('test', {})).data).toMatchObject({ step: 'write', failure: 'directory' });
  });
});
