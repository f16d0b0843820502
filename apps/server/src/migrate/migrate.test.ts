import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, type RedisAddress } from '@weir/plane';
import { parseStoreAddress } from '@weir/plane/store-address';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { RedisServer } from '../../../../tests/redis-server.fixture.ts';
import words from '../../../web/src/locales/en/settings/imports.json' with { type: 'json' };
import { createReadyApp } from '../app.ready.fixture.ts';
import { systemClock } from '../core/clock.ts';
import { openPrimary } from '../core/store/redis/primary-connection.ts';
import { readKeys } from '../core/store/redis/read-keys.ts';
import type { RedisConnection } from '../core/store/redis/redis-connection.ts';
import { SqliteStore } from '../core/store/sqlite-store.ts';
import { migrate } from './migrate.ts';

const log = createLog('test', 'error');
log.level = 'silent';

let redis: RedisServer;
let home: string;
let connection: RedisConnection;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'weir-migrate-'));
  redis = await RedisServer.start();
  connection = await openPrimary(addressOf(redis.url));
});
afterAll(async () => {
  connection.close();
  await redis.close();
  rmSync(home, { recursive: true });
});

const addressOf = (url: string) => parseStoreAddress(url) as RedisAddress;

/** A data directory and a prefix of its own, and what a person sees who migrates there. */
function place(prefix: string) {
  const dataDir = mkdtempSync(join(home, 'data-'));
  const said: string[] = [];
  const store = addressOf(`${redis.url}?prefix=${prefix}`);
  const context = {
    config: { dataDir, filesDir: dataDir, store },
    log,
    clock: systemClock,
    say: (line: string) => void said.push(line),
    words,
  };
  const usual = { isDry: false, replaces: false };
  const run = (wish: Omit<Parameters<typeof migrate>[0], keyof typeof usual> & Partial<typeof usual>) =>
    migrate({ ...usual, ...wish }, context);
  const sqlite = () => new SqliteStore(join(dataDir, 'weir.db'), log);
  return { dataDir, said, run, sqlite, keys: () => readKeys(store, `${prefix}:`) };
}

async function fill(store: SqliteStore) {
  await store.replaceRows([
    { collection: 'limits', key: 'sources', value: '{"vlive":1234}' },
    { collection: 'recordings', key: 'one', value: '{"uuid":"one"}' },
    ...Array.from({ length: 1200 }, (_, n) => ({ collection: 'many', key: `n${n}`, value: String(n) })),
  ]);
  const rows = await store.rows();
  await store.close();
  return rows;
}

describe('the migration of settings', () => {
  it('copies the file to Redis and back, unchanged', async () => {
    const { dataDir, said, run, sqlite, keys } = place('there');
    const rows = await fill(sqlite());
    await run({ from: 'sqlite', to: 'redis', isDry: true });
    expect(said).toContain('Dry run: nothing was written.');
    expect([(await keys()).size, existsSync(join(dataDir, 'data-id'))]).toEqual([0, false]);
    await run({ from: 'sqlite', to: 'redis' });
    expect(said.at(-1)).toBe('1202 entries were written to redis and verified.');

    await expect(run({ from: 'redis', to: 'sqlite' })).rejects.toThrow('--replace');
    const changed = sqlite();
    await changed.collection('limits', z.unknown()).put('sources', { vlive: 1 });
    await changed.close();
    await run({ from: 'redis', to: 'sqlite', replaces: true });
    const [back, [kept = '']] = [sqlite(), readdirSync(join(dataDir, 'backup'))];
    expect(await back.rows()).toEqual(rows);
    await back.close();
    const copy = new SqliteStore(join(dataDir, 'backup', kept), log);
    expect(await copy.collection('limits', z.unknown()).get('sources')).toEqual({ vlive: 1 });
    await copy.close();
  });

  it('creates nothing where there are none', async () => {
    const { dataDir, run } = place('nothing');
    await expect(run({ from: 'sqlite', to: 'redis' })).rejects.toThrow('no settings');
    await expect(run({ from: 'redis', to: 'sqlite' })).rejects.toThrow('no settings');
    await expect(run({ from: { oryx: addressOf(`${redis.url}/5`) }, to: 'sqlite' })).rejects.toThrow('no Oryx');
    expect(readdirSync(dataDir)).not.toContain('backup');
  });
});

const slot = { server: 'rtmp://push.example/live', secret: 'key', enabled: true, custom: true, label: 'Mine' };
const stream = { uuid: crypto.randomUUID(), target: 'rtsp://camera.example/1', type: 'stream', name: 'Door' };
const oryx: Record<string, Record<string, string> | string> = {
  SRS_PLATFORM_SECRET: { token: `srs-v2-${'a'.repeat(32)}`, update: '2024-01-01' },
  SRS_AUTH_SECRET: { pubSecret: 'b'.repeat(32), pubNoAuth: 'true', 'room-pub-s1': 'S'.repeat(32) },
  SRS_SECRET_PUBLISH: 'b'.repeat(32),
  SRS_HOOKS: { target: 'https://hooks.example/', opaque: 'o', all: 'true', req: '{}' },
  SRS_HP_HLS: { noHlsCtx: 'true' },
  SRS_LL_HLS: { hlsLowLatency: 'true' },
  SRS_HTTPS: 'lets',
  SRS_HTTPS_DOMAIN: 'tv.example',
  SRS_BEIAN: { title: 'My site', icp: 'ICP 1' },
  SRS_SYS_LIMITS: { vlive: '1234', camera: '2345' },
  SRS_SYS_OPENAI: { key: 'sk-secret-key', url: 'https://ai.example/v1', org: 'org' },
  SRS_RECORD_PATTERNS: { all: 'true', globs: '["/live/*"]' },
  SRS_FORWARD_CONFIG: { wx: JSON.stringify({ platform: 'wx', ...slot }), 'rm -rf': '{}', bilibili: '{broken' },
  SRS_VLIVE_CONFIG: {
    wx: JSON.stringify({ ...slot, files: [{ ...stream, type: 'upload', target: 'vlive/x.mp4' }] }),
  },
  SRS_CAMERA_CONFIG: { 'camera-4-abc123': JSON.stringify({ ...slot, extraAudio: 'silent', files: [stream] }) },
  SRS_TRANSCODE_CONFIG: { global: JSON.stringify({ all: false, vcodec: 'libx264', vbitrate: 345 }) },
  SRS_RECORD_M3U8_ARTIFACT: { one: '{}' },
  SRS_STREAM_ACTIVE: {},
  SRS_FORWARD_TASK: { one: '{"pid":1}' },
  SRS_NEWER: { what: 'ever' },
};

describe('the migration from Oryx', () => {
  it('takes over what fits, names the rest with its reason, and shows no secret', async () => {
    for (const [name, value] of Object.entries(oryx)) {
      const words = typeof value === 'string' ? ['SET', name, value] : ['HSET', name, ...Object.entries(value).flat()];
      if (words.length > 2) await connection.call(words);
    }
    const { said, run, sqlite } = place('oryx');
    const before = sqlite();
    await before.collection('branding', z.unknown()).put('site', { title: 'Ours', icp: '' });
    await before.close();
    await run({ from: { oryx: addressOf(redis.url) }, to: 'sqlite' });

    const report = said.join('\n');
    for (const line of [
      'Not migrated:',
      '  Forward bilibili: the entry is damaged',
      '  Forward rm -rf: not a valid name of a destination',
      '  Site texts: already set on this server',
      '  --replace overwrites what is set with the imported values',
      '  SRS_RECORD_M3U8_ARTIFACT: recordings stay on the old server, with their files',
      '  SRS_FORWARD_TASK: state of a running server',
      '  SRS_NEWER: not used here',
    ])
      expect(said).toContain(line);
    expect(report).toMatch(/Virtual live wx \(its files are on the old server/);
    expect(report).not.toMatch(/sk-secret|bbbb|aaaa/);

    const store = sqlite();
    const { call, close } = await createReadyApp({ store });
    const reads: [string, object][] = [
      ['hooks/srs/secret/query', { publish: 'b'.repeat(32), pubNoAuth: true }],
      ['mgmt/hooks/query', { target: 'https://hooks.example/', opaque: 'o', all: true }],
      ['mgmt/hphls/query', { noHlsCtx: true }],
      ['mgmt/hlsll/query', { hlsLowLatency: true }],
      ['mgmt/cert/query', { domain: 'tv.example' }],
      ['mgmt/beian/query', { title: 'Ours' }],
      ['mgmt/limits/query', { vlive: 1234, camera: 2345 }],
      ['mgmt/openai/query', { aiBaseURL: 'https://ai.example/v1', aiOrganization: 'org' }],
      ['hooks/record/query', { all: true, globs: ['/live/*'] }],
      ['ffmpeg/forward/secret', { wx: { ...slot, platform: 'wx' } }],
      ['ffmpeg/vlive/secret', { wx: { server: slot.server, enabled: false, files: [] } }],
      [
        'ffmpeg/camera/secret',
        {
          'camera-4-abc123': { enabled: true, extraAudio: 'silent', files: [{ target: stream.target, name: 'Door' }] },
        },
      ],
      ['ffmpeg/transcode/query', { vbitrate: 345 }],
    ];
    for (const [path, fields] of reads) expect({ path, ...(await call(path)).data }).toMatchObject({ path, ...fields });
    await close();
  });
});
