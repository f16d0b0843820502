import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type RtmpClientEvent, RtmpClientSession } from '@weir/media/rtmp-client';
import { type Boot, StartError } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import { expect, test } from 'vitest';
import { startEngine } from './engine.ts';
import { get, startControl, temporaryDirectory } from './front-door/front-door.fixture.ts';
import { quietLog } from './quiet-log.fixture.ts';

async function boot(environment: Record<string, string> = {}): Promise<Boot> {
  const cwd = await temporaryDirectory();
  const ports = {
    MGMT_LISTEN: '127.0.0.1:0',
    HTTPS_LISTEN: '127.0.0.1:0',
    WEIR_RTMP_LISTEN: '127.0.0.1:0',
    ...environment,
  };
  const config = parseConfig({ WEIR_DATA: cwd, ...ports }, { cwd, version: '1.2.3' });
  return {
    config,
    sockets: { engine: join(cwd, 'e.sock'), server: join(cwd, 's.sock') },
    hookToken: 'token',
    ownToken: 'own',
  };
}

test('opens its ports and its private socket, and frees them on close', async () => {
  const order = await boot();
  const engine = await startEngine(order, quietLog);
  const port = engine.facts.httpPort ?? 0;
  expect(engine.facts.httpsPort).toBeGreaterThan(0);
  expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 503 });
  await startControl(order.sockets.server, (_req, res) => res.end('control'));
  expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 200, text: 'control' });
  await engine.close();
  await expect(get(port, '/')).rejects.toThrow('ECONNREFUSED');
  await expect(stat(order.sockets.engine)).rejects.toThrow('ENOENT');
});

test('refuses to start on a data directory in use, without disturbing the engine that uses it', async () => {
  const order = await boot();
  const engine = await startEngine(order, quietLog);
  await expect(startEngine(order, quietLog)).rejects.toThrow(/Another Weir/);
  expect(await get(engine.facts.httpPort ?? 0, '/anywhere')).toMatchObject({ status: 302 });
  await engine.close();
});

test('leaves nothing open when a port is taken', async () => {
  const first = await startEngine(await boot(), quietLog);
  const order = await boot({ MGMT_LISTEN: `127.0.0.1:${first.facts.httpPort}` });
  await expect(startEngine(order, quietLog)).rejects.toThrow(StartError);
  await expect(stat(order.sockets.engine)).rejects.toThrow('ENOENT');
  await first.close();
});

/** First answer of the RTMP server to a publisher. */
async function publish(port: number): Promise<RtmpClientEvent | undefined> {
  const tcUrl = `rtmp://127.0.0.1:${port}/live`;
  const session = new RtmpClientSession({ mode: 'publish', name: 'new', app: 'live', tcUrl });
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    for (;;) {
      const bytes = session.readOutput();
      if (bytes) socket.write(bytes);
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      const [event] = session.push(chunk);
      if (event) return event;
    }
  } finally {
    socket.destroy();
  }
}

test('S18: refuses new viewers and publishers in words near its memory limit', async () => {
  // The processes of this test take more than that.
  const engine = await startEngine(await boot({ WEIR_MEMORY_LIMIT: '1' }), quietLog);
  const { httpPort = 0, rtmpPort = 0 } = engine.facts;
  const refusal = await get(httpPort, '/live/new.flv');
  expect(refusal).toMatchObject({ status: 503, text: expect.stringContaining('the server is low on memory') });
  expect(refusal.headers['retry-after']).toBe('5');
  expect(await publish(rtmpPort)).toMatchObject({ type: 'refused', reason: expect.stringContaining('low on memory') });
  await engine.close();
});
