import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CallerReader } from '../../http/caller.ts';
import { HttpExchange } from '../../http/exchange.ts';
import { serveHttp } from '../../http/http-server.fixture.ts';
import { Reply } from '../../http/reply.ts';
import { Admission } from '../../hub/clients/admission.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { client, picture, place, videoConfig } from '../../hub/frames.fixture.ts';
import { Hub } from '../../hub/hub.ts';
import { PlayerViews } from '../../hub/player-views/player-views.ts';
import { FakeGate } from '../../packagers/hls/hls-source.fixture.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { HttpFlvServer } from './http-flv-server.ts';

const path = `/${place.app}/${place.name}.flv`;

/** HTTP-FLV behind a plain HTTP server, with one stream that somebody publishes. */
async function open() {
  const hub = new Hub({ returnMs: 60_000 });
  const gate = new FakeGate();
  const log = quietLog.child({}, { level: 'fatal' });
  const admission = new Admission({ hub, gate, log });
  const server = new HttpFlvServer({ hub, admission, playerViews: new PlayerViews({ log }), log });
  await server.open();
  const tools = { reply: new Reply('1.2.3'), callers: new CallerReader([]) };
  const port = await serveHttp((req, res) => server.serve(new HttpExchange(req, res, tools)));
  onTestFinished(async () => {
    hub.close();
    await server.close();
  });
  const publication = hub.open(place)?.publish(client());
  publication?.config(videoConfig);
  publication?.frame(picture(0, true));
  return { hub, gate, server, port };
}

async function answerOf(port: number, method: string, where = path) {
  const req = request({ host: '127.0.0.1', port, path: where, method }).end();
  const [res] = await once(req, 'response');
  res.resume();
  return { status: res.statusCode as number, type: res.headers['content-type'] as string };
}

async function watch(port: number): Promise<{ socket: Socket; received: () => Buffer }> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'data');
  return { socket, received: () => Buffer.concat(chunks) };
}

describe('the HTTP-FLV server', () => {
  it('has no port of its own and answers HEAD without sending the stream', async () => {
    const { server, port } = await open();
    expect(server.listener).toBeUndefined();
    expect(await answerOf(port, 'HEAD')).toEqual({ status: 200, type: 'video/x-flv' });
    expect((await answerOf(port, 'HEAD', '/live/nobody.flv')).status).toBe(404);
    expect((await answerOf(port, 'GET', '/live/nobody.flv')).status).toBe(404);
    expect((await answerOf(port, 'POST')).status).toBe(405);
  });

  it('sends a file that begins with its header and the last keyframe, and counts the viewers', async () => {
    const { hub, gate, port } = await open();
    const { socket, received } = await watch(port);
    await vi.waitFor(() => expect(received().indexOf('FLV')).toBeGreaterThan(0));
    expect(received().toString('latin1')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received().toString('latin1')).not.toMatch(/content-length|transfer-encoding/i);
    expect([...hub.clients.all()].map(({ info }) => info.kind)).toEqual(['flv-play']);
    socket.destroy();
    await vi.waitFor(() => expect(gate.stopped).toHaveLength(1));
    expect(hub.clients.size).toBe(0);
  });

  it('gives a refused viewer the reason', async () => {
    const { gate, port } = await open();
    gate.refusal = new Refused('not for you');
    expect((await answerOf(port, 'GET')).status).toBe(403);
  });

  it('disconnects its viewers when it closes', async () => {
    const { hub, server, port } = await open();
    const { socket } = await watch(port);
    const closed = once(socket, 'close');
    await server.close();
    await closed;
    await vi.waitFor(() => expect(hub.clients.size).toBe(0));
  });
});
