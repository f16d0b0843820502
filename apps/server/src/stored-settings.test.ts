import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createReadyApp } from './app.ready.fixture.ts';
import { MemoryStore } from './core/store/memory-store.ts';

/** Entries as installations have them: collection, key, value. They outlive whatever reads them. */
const entries: readonly [string, string, unknown][] = [
  ['contact', 'links', { chat: 'https://chat.example' }],
  ['branding', 'site', { title: 'My site', icp: 'ICP 1' }],
  ['publish-secret', 'publish', { secret: 'a'.repeat(32), updatedAt: 1 }],
  ['publish-mode', 'publish', { noAuth: true }],
  ['hls', 'hls', { noHlsCtx: true, hlsLowLatency: true }],
  ['limits', 'sources', { vlive: 1234, camera: 2345 }],
  ['llm', 'provider', { aiSecretKey: 'sk-12345678', aiBaseURL: 'https://ai.example/v1', aiOrganization: 'org' }],
  ['platform', 'platform', { homepage: '/console/', strategy: 'auto', backends: ['http://10.0.0.1'] }],
  ['edges', 'edges', { urls: ['https://edge.example'], token: 'c'.repeat(64) }],
  ['hooks', 'hooks', { target: 'http://hooks.example/', opaque: 'o', all: false, host: 'http://me' }],
  ['hooks-secret', 'hooks', { secret: 'b'.repeat(64), updatedAt: 1 }],
  ['transcode', 'global', { all: false, vcodec: 'libx264', stream: 'live/one', vbitrate: 345 }],
  ['certs', 'https', { provider: 'lets', domain: 'example.org' }],
  ['certs-order', 'https', { state: 'failed', domain: 'example.org', at: 0, reason: 'no', failures: 1 }],
  ['record', 'settings', { all: true, globs: ['/live/*'], processCpDir: '' }],
  ['cloud', 'switches', { dvr: false, vod: true }],
  [
    'rooms',
    'r1',
    { uuid: 'r1', title: 'T', stream: 's1', secret: 'S1', roomToken: 't1', created_at: '2026-01-01T00:00:00Z' },
  ],
  ['tencent', 'account', { appId: '1', secretId: 'id', secretKey: 'key' }],
];

const reads: readonly [string, object][] = [
  ['mgmt/contact/query', { chat: 'https://chat.example' }],
  ['mgmt/beian/query', { title: 'My site', icp: 'ICP 1' }],
  ['hooks/srs/secret/query', { publish: 'a'.repeat(32), pubNoAuth: true }],
  ['mgmt/hphls/query', { noHlsCtx: true }],
  ['mgmt/hlsll/query', { hlsLowLatency: true }],
  ['mgmt/limits/query', { vlive: 1234, camera: 2345 }],
  ['mgmt/openai/query', { aiBaseURL: 'https://ai.example/v1', aiOrganization: 'org' }],
  ['mgmt/hooks/query', { target: 'http://hooks.example/', opaque: 'o', secret: 'b'.repeat(64) }],
  ['mgmt/edges/query', { edges: [expect.objectContaining({ url: 'https://edge.example' })], token: 'c'.repeat(64) }],
  ['mgmt/nginx/homepage/query', { homepage: '/console/' }],
  ['mgmt/dns/backend/query', { backends: ['http://10.0.0.1'] }],
  ['ffmpeg/transcode/query', { stream: 'live/one', vbitrate: 345 }],
  ['mgmt/cert/query', { domain: 'example.org' }],
  ['hooks/record/query', { all: true, globs: ['/live/*'] }],
  ['hooks/dvr/query', { all: false, secret: true }],
  ['live/room/list', { rooms: [expect.objectContaining({ stream: 's1', secret: 'S1', assistant: true })] }],
  ['hooks/vod/query', { all: true, secret: true }],
];

describe('the settings of an installation', () => {
  it('are read from the same collections and keys in every version', async () => {
    const store = new MemoryStore();
    for (const [collection, key, value] of entries) await store.collection(collection, z.unknown()).put(key, value);
    const { call } = await createReadyApp({ store });
    for (const [path, fields] of reads) {
      const answer = await call(path);
      expect([path, answer.code]).toEqual([path, 0]);
      expect({ path, ...answer.data }).toMatchObject({ path, ...fields });
    }
  });
});
