import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { RtmpClientSession } from '@weir/media/rtmp-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { badSteps, FrameViewer } from './fixtures/frames.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';
import { SyntheticPublisher } from './fixtures/synthetic-publisher.fixture.ts';

const silentViewers = 1000;
/** Fills what the kernel takes and what the engine allows within seconds; at 1 Mbit/s that takes a minute. */
const kbps = 8000;
/**
 * All silent viewers hold the same buffers, those of the seconds between falling behind and being dropped: 25 s of
 * 1 MB. Besides, each costs its connection and its list of buffers (70 KB), and those that joined at different
 * moments had copies of the last pictures of their own (50 times up to 1 MB). A copy of the backlog for each would be 4 GB.
 */
const mostGrowthMb = 256;

let live: Live;
let publisher: SyntheticPublisher;
const silent: Socket[] = [];
beforeAll(async () => {
  live = await Live.start({ WEIR_LOG: 'debug' });
  publisher = await SyntheticPublisher.start({
    port: live.weir.rtmpPort,
    name: `flood?secret=${live.secret}`,
    kbps,
  });
});
afterAll(async () => {
  for (const socket of silent) socket.destroy();
  publisher.close();
  await live.close();
});

/** Asks for the stream and never reads a byte of the answer. */
function playByHttp(port: number): Socket {
  const socket = connect(port, '127.0.0.1').pause();
  socket.write('GET /live/flood.flv HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket.on('error', () => undefined);
}

/** Reads until the stream begins, because RTMP has to be negotiated, and then no more. */
function playByRtmp(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  const tcUrl = `rtmp://127.0.0.1:${port}/live`;
  const session = new RtmpClientSession({ mode: 'play', app: 'live', name: 'flood', tcUrl });
  const send = () => {
    const bytes = session.readOutput();
    if (bytes) socket.write(bytes);
  };
  send();
  socket.on('data', (chunk: Buffer) => {
    if (session.push(chunk).some(({ type }) => type === 'started')) socket.pause();
    send();
  });
  return socket.on('error', () => undefined);
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Not a number while a busy machine lets the engine's answer come too late. */
async function viewersNow(): Promise<number> {
  const answer = (await live.post('/api/v1/streams')) as unknown as { streams?: { clients: number }[] };
  return (answer.streams?.[0]?.clients ?? Number.NaN) - 1;
}

/** Without reading every line as JSON: this is asked often, on the cores that the streams need. */
const droppedNow = () => live.weir.output.split('"viewer dropped"').length - 1;

it('F05: 1,000 viewers that never read are dropped with a reason, and do not affect the healthy one', async () => {
  const { httpPort, rtmpPort } = live.weir;
  const engine = live.weir.pidOf('engine');
  const healthy = FrameViewer.overFlv(httpPort, '/live/flood.flv');
  await until(() => healthy.times.video.length > 25, 'the healthy viewer watches');
  const before = residentMb(engine);

  for (let n = 0; n < silentViewers; n += 20) {
    const some = Array.from({ length: 20 }, (_, index) => (index % 2 ? playByHttp(httpPort) : playByRtmp(rtmpPort)));
    silent.push(...some);
    // The first may be gone before the last have come.
    await until(async () => (await viewersNow()) + droppedNow() > n + 20, 'some more watch');
  }
  let peak = before;
  await until(
    async () => {
      peak = Math.max(peak, residentMb(engine));
      return (await viewersNow()) === 1 && droppedNow() >= silentViewers;
    },
    'only the healthy viewer is left',
    60_000,
  );

  const reasons = live.weir.records('viewer dropped').map(({ reason }) => reason);
  expect(reasons).toEqual(Array(silentViewers).fill('too slow'));
  expect([healthy.hasEnded, healthy.reason, publisher.hasEnded]).toEqual([false, '', false]);
  expect(badSteps(healthy.times.video, 40, 40)).toEqual([]);
  expect(publisher.sent - healthy.times.video.length).toBeLessThan(25);
  expect(peak - before).toBeLessThan(mostGrowthMb);
});
