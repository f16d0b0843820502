import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../free-port.fixture.ts';
import { Nginx } from '../../nginx.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { inputs, Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { FrameViewer } from '../fixtures/frames.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

let live: Live;
let edge: Nginx;
let port: number;
let judge: Server;
let publisher: Publisher;
beforeAll(async () => {
  // The owner's own server, which lets in whoever has the word.
  judge = createServer(async (request, response) => {
    const asked = new URLSearchParams(await text(request));
    response.writeHead(asked.get('token') === 'open' ? 200 : 403).end();
  }).listen(0, '127.0.0.1');
  [live, port] = await Promise.all([Live.start(), freePort()]);
  const mayPlay = `http://127.0.0.1:${(judge.address() as AddressInfo).port}/`;
  edge = await Nginx.rtmpEdge({ port, origin: `127.0.0.1:${live.weir.rtmpPort}`, mayPlay });
  publisher = new Publisher(live.publishUrl('show'), inputs.both);
  await until(() => live.isLive('show'), 'show is live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await edge?.close();
  judge?.close();
  await live?.close();
});

const watch = (query: string) => FrameViewer.overRtmp(port, 'live', `show${query}`);
const players = async () => {
  const { clients } = (await live.post('/api/v1/clients?count=100')) as unknown as { clients: { type: string }[] };
  return clients.filter(({ type }) => type === 'rtmp-play').length;
};

describe('an nginx-rtmp edge', { timeout: 120_000 }, () => {
  it('fetches a stream once for its viewers, refuses unauthorised ones, and keeps them over a republish', async () => {
    const viewers = ['?token=open', '?token=open', '?token=open'].map(watch);
    const stranger = watch('?token=guess');
    const times = (viewer: FrameViewer) => viewer.times.video.length;
    await until(() => viewers.every((viewer) => times(viewer) > 25 && viewer.times.audio.length > 25), 'they watch');
    await until(() => stranger.hasEnded, 'the stranger is gone');
    expect(times(stranger)).toBe(0);
    expect(await players()).toBe(1);

    await publisher.stop('SIGKILL');
    publisher = new Publisher(live.publishUrl('show'), inputs.both);
    const before = viewers.map(times);
    await until(() => viewers.every((viewer, index) => times(viewer) > (before[index] ?? 0) + 50), 'they watch on');
    expect(viewers.map(({ hasEnded }) => hasEnded)).toEqual([false, false, false]);

    for (const viewer of viewers) viewer.close();
    await until(async () => (await players()) === 0, 'nobody is fetched for');
  });
});
