import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Boot, createLog } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import type { InjectOptions } from 'fastify';
import { createApp } from './app.ts';
import { WeirError } from './core/errors.ts';
import { MemoryStore } from './core/store/memory-store.ts';
import type { MediaServer } from './media-server/media-server.ts';

/** An engine that is not there: what a call finds while it restarts. */
const absent = () => Promise.reject(new WeirError('engine_unreachable', 'the media engine does not answer'));
const noEngine: MediaServer = { health: absent, api: absent };

/** The whole control plane on a store in memory, called the way the front door calls it. */
export async function createTestApp({
  env = {},
  store = new MemoryStore(),
  mediaServer = noEngine,
}: {
  env?: Record<string, string>;
  store?: MemoryStore;
  mediaServer?: MediaServer;
} = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-app-'));
  const config = parseConfig({ WEIR_DATA: dataDir, ...env }, { cwd: dataDir, version: '1.2.3' });
  const boot: Boot = { config, sockets: { engine: '', server: '' }, hookToken: 'hook-token' };
  const log = createLog('test', 'error');
  log.level = 'silent';
  const app = await createApp(boot, log, { store, mediaServer });

  const inject = (options: InjectOptions, from: Record<string, string> = {}) =>
    app.http.fastify.inject({
      ...options,
      headers: {
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'localhost:2022',
        'x-forwarded-proto': 'http',
        'x-weir-peer': 'direct',
        ...from,
        ...options.headers,
      },
    });
  const post = async (path: string, body: object = {}, headers: Record<string, string> = {}) => {
    const response = await inject({ method: 'POST', url: path, payload: body }, headers);
    return { status: response.statusCode, headers: response.headers, ...response.json() };
  };
  return { app, store, inject, post, close: () => app.close() };
}
