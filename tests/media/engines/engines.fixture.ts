import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineHooks, parseSegmentHook, parseSegmentSource } from '@weir/engine-api';
import { type Boot, createLog, listenOnSocket } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import { startEngine } from '../../../apps/engine/src/engine.ts';
import { startSrsGate } from '../../../apps/engine/src/srs-gate.ts';
import { systemClock } from '../../../apps/server/src/core/clock.ts';
import { createMediaServer } from '../../../apps/server/src/media-server/create-media-server.ts';
import type { MediaServer } from '../../../apps/server/src/media-server/media-server.ts';
import { SrsHooks } from '../../../apps/server/src/media-server/srs/srs-hooks.ts';
import { SegmentSpool } from '../../../apps/server/src/segments/segment-spool.ts';
import { SrsSegments } from '../../../apps/server/src/segments/srs-segments.ts';
import { Srs, srsEnvironment, srsPorts } from './srs.fixture.ts';
import { srsBinary } from './srs-binary.fixture.ts';

type Told = Record<string, unknown> & { readonly action: string };

/** An engine that runs, and what it told so far. */
export interface RunningEngine {
  readonly mediaServer: MediaServer;
  readonly rtmpPort: number;
  readonly httpPort: number;
  readonly told: readonly Told[];
  /** Names of streams that the hook refuses. */
  readonly refused: Set<string>;
  /** The file of a segment that was told of. */
  segmentOf(told: Told): Promise<string>;
  close(): Promise<void>;
}

interface EngineKind {
  readonly name: string;
  start(): Promise<RunningEngine>;
}

const token = 'the-token-of-the-hooks';
const log = createLog('engine', 'error');

/** Always the embedded engine; SRS where `SRS_BINARY` points at one. */
export const engineKinds: readonly EngineKind[] = [
  { name: 'the embedded engine', start: startEmbedded },
  ...(srsBinary === '' ? [] : [{ name: 'SRS', start: startSrs }]),
];

async function startEmbedded(): Promise<RunningEngine> {
  const { boot, remove } = bootOf({ WEIR_RTMP_LISTEN: '127.0.0.1:0' });
  const { told, refused, receive } = receiver();
  const control = createServer(receive);
  await listenOnSocket(control, boot.sockets.server);
  const engine = await startEngine(boot, log);
  return {
    told,
    refused,
    mediaServer: createMediaServer(boot, systemClock),
    rtmpPort: engine.facts.rtmpPort ?? 0,
    httpPort: engine.facts.httpPort ?? 0,
    segmentOf: async (segment) => parseSegmentHook(segment).file,
    close: async () => {
      await engine.close();
      control.closeAllConnections();
      control.close();
      remove();
    },
  };
}

async function startSrs(): Promise<RunningEngine> {
  const ports = await srsPorts();
  const { boot, remove } = bootOf(srsEnvironment(ports));
  const { told, refused, receive } = receiver();
  const srsConfig = boot.config.srs;
  if (!srsConfig) throw new Error('not configured for SRS');
  const hooks = new SrsHooks({ listen: srsConfig.hooks, token, route: receive, log });
  await hooks.open();
  const gate = await startSrsGate(boot, log, srsConfig);
  // Elsewhere than the data directory, as on another machine: segments come over HTTP.
  const directory = mkdtempSync(join(tmpdir(), 'weir-srs-'));
  const srs = await Srs.start(ports, { directory, token });
  const { dataDir } = boot.config;
  const spool = new SegmentSpool(join(dataDir, 'segments'), log);
  const segments = new SrsSegments({ dataDir, servers: srsConfig.origins.map(({ http }) => http), spool });
  return {
    told,
    refused,
    mediaServer: createMediaServer(boot, systemClock),
    rtmpPort: ports.rtmp,
    httpPort: gate.facts.httpPort ?? 0,
    segmentOf: async (segment) => (await segments.keep(parseSegmentHook(segment), parseSegmentSource(segment))).file,
    close: async () => {
      await srs.stop();
      await gate.close();
      await hooks.close();
      rmSync(directory, { recursive: true });
      remove();
    },
  };
}

function bootOf(env: Record<string, string>): { boot: Boot; remove: () => void } {
  const cwd = mkdtempSync(join(tmpdir(), 'weir-engine-'));
  const ports = {
    MGMT_LISTEN: '127.0.0.1:0',
    HTTPS_LISTEN: '127.0.0.1:0',
    WEIR_SRT_LISTEN: '127.0.0.1:0',
    WEIR_RTC_LISTEN: '127.0.0.1:0',
  };
  const config = parseConfig({ WEIR_DATA: cwd, ...ports, ...env }, { cwd, version: '1.2.3' });
  const sockets = { engine: join(cwd, 'e.sock'), server: join(cwd, 's.sock') };
  const boot = { config, sockets, hookToken: token, ownToken: 'own' };
  return { boot, remove: () => rmSync(cwd, { recursive: true, force: true }) };
}

/** In the place of the control plane. */
function receiver() {
  const told: Told[] = [];
  const refused = new Set<string>();
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const isHook = Object.values(engineHooks).some(({ path }) => path === request.url);
    const hook = JSON.parse(text) as Told;
    if (isHook && request.headers['x-weir-hook'] === token) told.push(hook);
    response.end(JSON.stringify({ code: refused.has(String(hook.stream)) ? 1 : 0 }));
  };
  return { told, refused, receive };
}
