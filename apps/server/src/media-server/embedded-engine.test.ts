import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EmbeddedEngine } from './embedded-engine.ts';

/** A private socket that answers as told and remembers what it was asked. */
async function open(answer: unknown, status = 200) {
  const socketPath = join(mkdtempSync(join(tmpdir(), 'weir-engine-')), 's');
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(`${request.method} ${request.url} ${body}`.trim());
    response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => void server.close());
  return { engine: new EmbeddedEngine(socketPath), asked };
}

const unreachable = expect.objectContaining({ kind: 'engine_unreachable', status: 502 });

it('repeats a call on a new connection when the engine has just closed the kept one', async () => {
  const socketPath = join(mkdtempSync(join(tmpdir(), 'weir-engine-')), 's');
  const used = new WeakSet<object>();
  let closed = 0;
  const server = createServer((request, response) => {
    if (used.has(request.socket)) {
      closed += 1;
      request.socket.destroy();
    } else response.end(JSON.stringify({ code: 0, server: 'vid-1', streams: [] }));
    used.add(request.socket);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => void server.close());
  const engine = new EmbeddedEngine(socketPath);
  for (let n = 0; n < 4; n++) expect(await engine.streams()).toEqual([]);
  expect(closed).toBeGreaterThan(0);
});

it('reads publishers from the engine, and leaves out streams without a publisher', async () => {
  const { engine, asked } = await open({
    code: 0,
    server: 'vid-1',
    streams: [
      {
        id: 'vid-2',
        name: 'show',
        app: 'live',
        vhost: 'vid-3',
        vhostName: 'studio.example.com',
        publish: {
          active: true,
          cid: 'c1',
          since: '2026-01-01T10:00:00+08:00',
          param: '?a=1',
          address: '198.51.100.7',
          protocol: 'rtmp-publish',
        },
        clients: 3,
        fps: 24.8,
        kbps: { recv_5s: 2500, recv_30s: 2400, send_30s: 5000 },
        video: { codec: 'H264', profile: 'High', level: '3.1', width: 1280, height: 720, fps: 25 },
        audio: { codec: 'AAC', sample_rate: 44_100, channel: 2, profile: 'LC' },
        weir: {
          bFrames: true,
          renditions: { webrtc: { video: 'converted', audio: 'unavailable', isRunning: true, reason: 'no ffmpeg' } },
        },
      },
      { name: 'idle', app: 'live', publish: { active: false, cid: '', since: '', param: '' } },
      { name: 'older', app: 'live' },
    ],
  });
  expect(await engine.streams()).toEqual([
    {
      vhost: 'studio.example.com',
      app: 'live',
      name: 'show',
      serverId: 'vid-1',
      clientId: 'c1',
      param: '?a=1',
      publishedAt: '2026-01-01T02:00:00.000Z',
      media: {
        protocol: 'rtmp',
        address: '198.51.100.7',
        viewers: 2,
        kbps: 2500,
        fps: 24.8,
        video: { codec: 'H264', profile: 'High', width: 1280, height: 720, fps: 25 },
        audio: { codec: 'AAC', sampleRate: 44_100, channels: 2 },
        bFrames: true,
        webrtc: { video: 'converted', audio: 'unavailable', reason: 'no ffmpeg' },
      },
    },
  ]);
  expect(asked).toEqual(['GET /api/v1/streams?start=0&count=100000']);
});

it.each([
  [{ at: ['x'], columns: {} }],
  [{ at: [1] }],
  [{ at: [1], columns: null }],
  [{ at: [1], columns: { fps: 25 } }],
  [{ at: [1], columns: { fps: ['25'] } }],
])('refuses invalid samples: %j', async (server) => {
  const { engine } = await open({ code: 0, data: { server, streams: [] } });
  await expect(engine.latestSamples()).rejects.toEqual(unreachable);
});

it('accepts the fields that SRS itself reports', async () => {
  const { engine } = await open({
    code: 0,
    server: 'vid-1',
    streams: [
      {
        name: 'show',
        app: 'live',
        vhost: 'vid-3',
        live_ms: 1_767_225_600_000,
        publish: { active: true, cid: 'c1' },
        kbps: { recv_30s: 900, send_30s: 0 },
        video: { codec: 'H264', profile: 'High', level: '3.1', width: 640, height: 360 },
        audio: 'of a kind we do not know',
      },
    ],
  });
  expect(await engine.streams()).toMatchObject([
    {
      vhost: '__defaultVhost__',
      clientId: 'c1',
      publishedAt: '2026-01-01T00:00:00.000Z',
      media: { protocol: '', viewers: 0, kbps: 900, video: { width: 640 }, audio: null },
    },
  ]);
});

it.each([
  [{ code: 0 }, 200, true],
  [{ code: 2049 }, 200, false],
  [{ code: 404, data: {} }, 404, false],
])('disconnects a client: %j', async (answer, status, wasThere) => {
  const { engine, asked } = await open(answer, status);
  expect(await engine.kick('c/1?x')).toBe(wasThere);
  expect(asked).toEqual(['DELETE /api/v1/clients/c%2F1%3Fx']);
});

it('reports when a client could not be disconnected', async () => {
  const { engine } = await open({ code: 1061 });
  await expect(engine.kick('c1')).rejects.toEqual(unreachable);
});

it('applies settings, and fails when the engine refuses them', async () => {
  const settings = { hls: { noHlsCtx: true, shortSegments: false } };
  const { engine, asked } = await open({ code: 0, data: null });
  await engine.applySettings(settings);
  expect(asked).toEqual(['PUT /weir/v1/settings {"hls":{"noHlsCtx":true,"shortSegments":false}}']);
  const refusing = await open({ code: 405, data: { message: 'Method Not Allowed' } }, 405);
  await expect(refusing.engine.applySettings(settings)).rejects.toEqual(unreachable);
});

it('sends the subtitle tracks of a stream and their cues', async () => {
  const place = { vhost: 'v', app: 'live', stream: 'show' };
  const cue = { id: '1', startMs: 0, endMs: 900, text: '早' };
  const { engine, asked } = await open({ code: 0 });
  expect(await engine.setSubtitleTracks(place, [{ language: 'zh', name: '中文', isDefault: true }])).toBe(true);
  expect(await engine.addCues(place, 'zh', [cue])).toBe(true);
  expect(asked).toEqual([
    'PUT /weir/v1/subtitles {"vhost":"v","app":"live","stream":"show","tracks":[{"language":"zh","name":"中文","isDefault":true}]}',
    'POST /weir/v1/cues {"vhost":"v","app":"live","stream":"show","language":"zh","cues":[{"id":"1","startMs":0,"endMs":900,"text":"早"}]}',
  ]);
  const absent = await open({ code: 404, data: { message: 'Not Found' } }, 404);
  expect(await absent.engine.setSubtitleTracks(place, [])).toBe(false);
  const refusing = await open({ code: 422, data: {} }, 422);
  await expect(refusing.engine.addCues(place, 'zh', [cue])).rejects.toEqual(unreachable);
});

it.each(['', 'no json', '{"code":0}', '{"code":7,"streams":[]}', '{"code":0,"streams":[{"name":7}]}'])(
  'refuses %j as a list',
  async (answer) => {
    const { engine } = await open(answer);
    await expect(engine.streams()).rejects.toEqual(unreachable);
  },
);

it('reports that an engine is away', async () => {
  const engine = new EmbeddedEngine(join(tmpdir(), 'weir-no-such-socket'));
  await expect(engine.streams()).rejects.toEqual(unreachable);
});
