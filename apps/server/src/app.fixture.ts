import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@weir/contract';
import { type Boot, createLog, type LauncherLink } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import type { InjectOptions } from 'fastify';
import { createApp } from './app.ts';
import { type Clock, systemClock } from './core/clock.ts';
import { Events } from './core/events.ts';
import { MemoryStore } from './core/store/memory-store.ts';
import type { Store } from './core/store/store.ts';
import { FakeMediaServer } from './media-server/fake-media-server.fixture.ts';

const hookToken = 'hook-token';
/** A hundred milliseconds of a core for each server that is set up would be most of what many tests cost. */
const hashCost = { N: 2 ** 10, r: 8, p: 1 };

/** The whole control plane on a store in memory, called the way the front door calls it. */
export async function createTestApp({
  env = {},
  store = new MemoryStore(),
  mediaServer = new FakeMediaServer({ isAway: true }),
  launcher = { planes: () => undefined, restart: () => undefined, waitsFor: () => undefined },
  clock = systemClock,
  dataDir = mkdtempSync(join(tmpdir(), 'weir-app-')),
  release,
}: {
  env?: Record<string, string>;
  store?: Store;
  /** Instead of a new one. */
  dataDir?: string;
  mediaServer?: FakeMediaServer;
  clock?: Clock;
  launcher?: LauncherLink;
  /** What a release says about itself. */
  release?: { readonly base: string; readonly key: string };
} = {}) {
  const config = parseConfig(
    { WEIR_DATA: dataDir, AUTO_SELF_SIGNED_CERTIFICATE: 'off', ...env },
    { cwd: dataDir, version: '1.2.3', release },
  );
  const boot: Boot = {
    config,
    sockets: { engine: '', server: join(dataDir, 'server.sock') },
    hookToken,
    ownToken: 'own-token',
  };
  const log = createLog('test', 'error');
  log.level = 'silent';
  const events = new Events(log);
  const app = await createApp(boot, log, { launcher, store, mediaServer, events, clock, hashCost });

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
  /** Sets the password with the code of the log, and signs in. */
  const setUp = async (password = 'the password') =>
    (await post('/terraform/v1/mgmt/init', { password, code: await app.setupCode() })).data as Session;
  /** Speaks as the engine does. */
  const hook = (path: 'verify' | 'hls' | 'program', body: object) =>
    post(`/terraform/v1/hooks/srs/${path}`, body, { 'x-weir-hook': hookToken });
  return { app, store, mediaServer, events, dataDir, inject, post, setUp, hook, close: () => app.close() };
}
