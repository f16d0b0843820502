import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { complaints, inputs, Publisher, probe } from './fixtures/ffmpeg.fixture.ts';
import { badSteps, FrameViewer } from './fixtures/frames.fixture.ts';
import { FlvViewer, Live } from './fixtures/live.fixture.ts';

let live: Live;
let publishers: Publisher[] = [];
let viewers: FlvViewer[] = [];
beforeAll(async () => {
  // Viewers of every test are with a worker a moment after they came.
  live = await Live.start({ WEIR_DELIVERY_WORKERS: '1' });
});
afterAll(() => live.close());
afterEach(async () => {
  for (const viewer of viewers) viewer.close();
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  publishers = [];
  viewers = [];
});

function publish(url: string, input: readonly string[] = inputs.both): Publisher {
  const publisher = new Publisher(url, input);
  publishers.push(publisher);
  return publisher;
}

async function publishLive(name: string, input: readonly string[] = inputs.both): Promise<Publisher> {
  const publisher = publish(live.publishUrl(name), input);
  await until(() => live.isLive(name), `${name} is live`);
  return publisher;
}

async function watch(name: string): Promise<FlvViewer> {
  const viewer = await FlvViewer.open(live.http(name, '.flv'));
  viewers.push(viewer);
  await until(() => viewer.bytes > 10_000, 'the viewer gets something');
  return viewer;
}

/** The viewer gets more than it has now: it still watches. */
async function stillWatches(viewer: FlvViewer, moreBytes = 50_000): Promise<void> {
  const before = viewer.bytes;
  await until(() => viewer.bytes > before + moreBytes || viewer.hasEnded, 'the viewer gets more');
  expect(viewer.hasEnded).toBe(false);
}

const h264 = { codec_type: 'video', codec_name: 'h264', width: 640, height: 360 };

describe('a stream that ffmpeg publishes by RTMP', () => {
  it.each([
    ['H.264 and AAC', 'both', [h264, { codec_type: 'audio', codec_name: 'aac', sample_rate: '44100', channels: 2 }]],
    ['H.264 and MP3', 'mp3', [h264, { codec_type: 'audio', codec_name: 'mp3' }]],
    ['video only', 'video', [h264]],
    ['audio only', 'audio', [{ codec_type: 'audio', codec_name: 'aac' }]],
  ] as const)('%s plays by HTTP-FLV and RTMP', async (_title, name, expected) => {
    await publishLive(name, inputs[name]);
    const [flv, rtmp] = await Promise.all([probe(live.http(name, '.flv')), probe(live.rtmp(name))]);
    expect(flv).toMatchObject(expected);
    expect(rtmp).toMatchObject(expected);
    expect(await complaints(live.http(name, '.flv'), 2)).toBe('');
  });
});

describe('the permission to publish by RTMP', () => {
  it('S08: is refused without the secret, with a reason', async () => {
    const wrong = [
      '',
      '?secret=',
      '?secret=wrong',
      `?secret=${live.secret.toUpperCase()}`,
      `?secret=${live.secret}.`,
      `?key=${live.secret}`,
    ];
    const attempts = wrong.map((query, n) => publish(live.rtmp(`refused${n}`, query), inputs.audio));
    await until(() => attempts.every(({ hasEnded }) => hasEnded), 'all refused');
    for (const { said } of attempts) expect(said).toMatch(/NetStream\.Publish\.BadName|Operation not permitted|error/i);
    const { data } = await live.post('/terraform/v1/mgmt/streams/query');
    expect(data.streams).toEqual([]);
  });

  it('S09: is refused for a second publisher of a live name, and the first and its viewers are not interrupted', async () => {
    const first = await publishLive('taken');
    const viewer = await watch('taken');
    const second = publish(live.publishUrl('taken'), inputs.audio);
    await until(() => second.hasEnded, 'second refused');
    expect(first.hasEnded).toBe(false);
    await stillWatches(viewer);
    const { data } = await live.post('/terraform/v1/mgmt/streams/attempts');
    expect(JSON.stringify(data)).toMatch(/"stream":"taken".*"reason":"in-use"/);
  });

  it('S10, S32: needs a secret that is in no list, no log and no answer but its own', async () => {
    await publishLive('secretive');
    const lists = await Promise.all([
      live.post('/terraform/v1/mgmt/streams/query'),
      live.post('/api/v1/streams'),
      live.post('/api/v1/clients'),
    ]);
    for (const list of lists) expect(JSON.stringify(list)).not.toContain(live.secret);
    expect(JSON.stringify(lists[0])).toContain('secretive');
    expect(live.weir.output).not.toContain(live.secret);
  });
});

const lines = (file: string) => readFileSync(file, 'latin1').split('\n');

/** The delivery worker, once there is one. */
function findWorker(): string | undefined {
  const isWorker = (pid: string) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('delivery-worker')) return false;
      const parentOf = (child: string) =>
        /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${child}/status`, 'latin1'))?.[1] ?? '';
      return Number(parentOf(parentOf(pid))) === live.weir.process.pid;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').find((name) => /^\d+$/.test(name) && isWorker(name));
}

/** Connections of viewers that a process has open. */
function connectionsOf(pid: string): number {
  const tcp = new Set(lines('/proc/net/tcp').map((line) => line.trim().split(/\s+/)[9] ?? ''));
  const open = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  return open.filter((link) => tcp.has(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ' ')).length;
}

describe('a delivery worker', () => {
  it('that is killed costs its viewers a reconnect, and nobody else anything', async () => {
    const publisher = await publishLive('shared');
    const [flv, other] = [await watch('shared'), await watch('shared')];
    const player = spawn('ffmpeg', ['-v', 'error', '-i', live.rtmp('shared'), '-f', 'null', '-'], { stdio: 'ignore' });
    let worker: string | undefined;
    await until(() => {
      worker ??= findWorker();
      return worker !== undefined && connectionsOf(worker) === 3;
    }, 'three viewers with a worker');
    await stillWatches(flv);
    process.kill(Number(worker), 'SIGKILL');
    await until(() => flv.hasEnded && other.hasEnded && player.exitCode !== null, 'its viewers are disconnected');
    await stillWatches(await watch('shared'));
    expect(publisher.hasEnded).toBe(false);
    const { data } = await live.post('/terraform/v1/mgmt/components/query');
    expect(data.failedWorkers).toMatchObject([{ name: 'delivery', failures: 1 }]);
    expect(await complaints(live.http('shared', '.flv'), 2)).toBe('');
  });
});

describe('a stream and its viewers', () => {
  it('F01: stay connected while the publisher is away for a moment', async () => {
    const first = await publishLive('returning');
    const viewer = await watch('returning');
    await first.stop('SIGKILL');
    const second = publish(live.publishUrl('returning'));
    await stillWatches(viewer, 100_000);
    expect(second.hasEnded).toBe(false);
  });

  it('are disconnected when the administrator kicks the publisher', async () => {
    const publisher = await publishLive('kicked');
    await live.post('/terraform/v1/mgmt/streams/kickoff', { vhost: '__defaultVhost__', app: 'live', stream: 'kicked' });
    await until(() => publisher.hasEnded, 'publisher gone');
    const answer = await live.post('/terraform/v1/mgmt/streams/kickoff', {
      vhost: '__defaultVhost__',
      app: 'live',
      stream: 'none',
    });
    expect(answer).toMatchObject({ status: 404, code: 1003 });
  });

  it('S19: lose no frame while peers send invalid data', async () => {
    await publishLive('healthy');
    const viewer = FrameViewer.overFlv(live.weir.httpPort, '/live/healthy.flv');
    const { video } = viewer.times;
    await until(() => video.length > 25, 'a second of pictures');
    const handshake = Buffer.concat([Buffer.from([3]), Buffer.alloc(1536)]);
    const attacks = [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from([6, ...Buffer.alloc(1536)]),
      Buffer.concat([handshake, Buffer.alloc(1536), Buffer.from([2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0])]),
      Buffer.concat([handshake, Buffer.alloc(1536), Buffer.from([3, 0, 0, 0, 255, 255, 255, 20, 0, 0, 0, 0])]),
      Buffer.concat([handshake, Buffer.alloc(1536), Buffer.alloc(100_000, 0xff)]),
    ];
    await Promise.all(
      attacks.map(
        (bytes) =>
          new Promise<void>((resolve) => {
            const socket = connect(live.weir.rtmpPort, '127.0.0.1', () => socket.write(bytes));
            socket.on('error', () => undefined);
            socket.once('close', () => resolve());
            socket.resume();
          }),
      ),
    );
    const sofar = video.length;
    await until(() => video.length > sofar + 25 || viewer.hasEnded, 'a second of pictures more');
    viewer.close();
    expect([viewer.reason, badSteps(video, 40, 40)]).toEqual(['', []]);
  });
});
