import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaFrame, TrackConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { defaultVhost } from '@weir/streams';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeOnce } from '../../../../../tests/made-once.fixture.ts';
import { UdpLine } from '../../../../../tests/media/fixtures/line/udp-line.fixture.ts';
import { workersOf } from '../../../../../tests/weir.fixture.ts';
import { Admission } from '../../hub/clients/admission.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { Hub } from '../../hub/hub.ts';
import { FakeGate } from '../../packagers/hls/hls-source.fixture.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { SrtServer } from './srt-server.ts';
import { RawCaller } from './worker/libsrt/srt-handshake.fixture.ts';
import { TestPlayer } from './worker/test-player.fixture.ts';

const framesPerSecond = 25;
const log = quietLog.child({}, { level: 'fatal' });
const place = { vhost: defaultVhost, app: 'live', name: 'show' };
let hub: Hub;
let server: SrtServer;
let line: UdpLine;
let player: TestPlayer | undefined;
let timer: NodeJS.Timeout | undefined;

function media(): { configs: TrackConfig[]; frames: MediaFrame[] } {
  const clip = readFileSync(
    madeOnce(
      [
        '-f',
        'lavfi',
        '-i',
        'testsrc2=size=640x360:rate=25:duration=30',
        '-f',
        'lavfi',
        '-i',
        'sine=frequency=440:sample_rate=48000:duration=30',
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-tune',
        'zerolatency',
        '-x264-params',
        'sliced-threads=0',
        '-g',
        '25',
        '-b:v',
        '950k',
        '-maxrate',
        '950k',
        '-bufsize',
        '950k',
        '-pix_fmt',
        'yuv420p',
        '-c:a',
        'aac',
        '-b:a',
        '96k',
      ],
      'ts',
    ),
  );
  const demuxer = new MpegTsDemuxer();
  const items = [...demuxer.push(clip), ...demuxer.flush()];
  return {
    configs: items.flatMap((item) => (item.type === 'config' ? [item.config] : [])),
    frames: items.flatMap((item) => (item.type === 'frame' ? [item.frame] : [])),
  };
}
const { configs, frames } = media();

/** Publishes in real time, in this process. */
function publish(): void {
  const info = {
    id: '1',
    kind: 'srt-publish' as const,
    address: '',
    place,
    param: '',
    tcUrl: '',
    pageUrl: '',
    connectedAt: new Date(),
  } as const;
  const publication = hub.open(place)?.publish(Clients.entry(info, () => undefined));
  for (const config of configs) publication?.config(config);
  const firstMs = frames[0]?.dtsMs ?? 0;
  const beganMs = performance.now();
  let at = 0;
  timer = setInterval(() => {
    const nowMs = performance.now();
    for (let frame = frames[at]; frame && frame.dtsMs - firstMs <= nowMs - beganMs; frame = frames[at]) {
      publication?.frame(frame);
      at += 1;
    }
  }, 5);
}

beforeEach(async () => {
  hub = new Hub({ returnMs: 60_000 });
  const admission = new Admission({ hub, gate: new FakeGate(), log });
  const listen = { host: '127.0.0.1', port: 0 };
  const settings = { listen, passphrase: '', library: '', isFiltered: true, latencyMs: 200 };
  server = new SrtServer({ hub, admission, viewOf: (stream) => stream, log, settings });
  await server.open();
  line = await UdpLine.open({ port: server.listener.port });
});
afterEach(async () => {
  clearInterval(timer);
  await player?.close();
  line.close();
  hub.close();
  await server.close();
});

async function until(condition: () => boolean, what: string, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`);
    await sleep(20);
  }
}

/** A player that watches for two seconds, and the shortest way that a picture had. */
async function watch(): Promise<{ seen: TestPlayer['frames']; lateMs: (from: number) => number[] }> {
  player = await TestPlayer.dial(line.port, '#!::r=live/show,m=request');
  const seen = player.frames;
  await until(() => seen.length > 2 * framesPerSecond, 'two seconds');
  const usualMs = Math.min(...seen.map(({ frame, atMs }) => atMs - frame.dtsMs));
  return { seen, lateMs: (from) => seen.slice(from).map(({ frame, atMs }) => atMs - frame.dtsMs - usualMs) };
}

const stepsOf = (seen: TestPlayer['frames']) =>
  seen.slice(1).map(({ frame }, n) => Math.round(frame.dtsMs - (seen[n]?.frame.dtsMs ?? 0)));

const playersOf = () => [...hub.clients.all()].filter(({ info }) => info.kind === 'srt-play').length;

const memoryOf = (pid: number, field: string) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
const residentMbOf = (pid: number) => memoryOf(pid, 'VmRSS');
const peakMbOf = (pid: number) => memoryOf(pid, 'VmHWM');

describe('an SRT player on a line', () => {
  it('with half the bandwidth of the stream sees whole frames, stays current, and recovers at once', async () => {
    line.set({ delayMs: 10 });
    publish();
    const { seen, lateMs } = await watch();
    const before = seen.length;
    line.toClient.set({ rateBps: 550_000, queueMs: 300 });
    await sleep(8000);
    line.toClient.set({ rateBps: Number.POSITIVE_INFINITY });
    const narrow = seen.length;
    // Seen: about 50 of 200 pictures, at most 0.9 s late. With nothing held back there were 13.
    expect(narrow - before).toBeGreaterThan(30);
    expect(Math.max(...lateMs(before).slice(0, narrow - before))).toBeLessThan(2000);
    const longest = Math.max(...seen.slice(before).map(({ atMs }, n) => atMs - (seen[before + n - 1]?.atMs ?? atMs)));
    expect(longest).toBeLessThan(4000);
    await sleep(2500);
    const after = seen.length;
    await until(() => seen.length > after + 2 * framesPerSecond, 'two good seconds');
    expect(new Set(stepsOf(seen.slice(after)))).toEqual(new Set([40]));
    expect(lateMs(after).toSorted((a, b) => a - b)[framesPerSecond]).toBeLessThan(200);
  });

  it('continues within a second and a half after a link that was down for three seconds', async () => {
    line.set({ delayMs: 10 });
    publish();
    const { seen, lateMs } = await watch();
    line.set({ isDown: true });
    await sleep(3000);
    line.set({ isDown: false });
    const before = seen.length;
    const upMs = performance.now();
    await until(() => seen.length > before + framesPerSecond, 'a second of video', 15_000);
    expect((seen[before]?.atMs ?? 0) - upMs).toBeLessThan(1500);
    const after = seen.length;
    await until(() => seen.length > after + 2 * framesPerSecond, 'two good seconds', 15_000);
    expect(lateMs(after).toSorted((a, b) => a - b)[framesPerSecond]).toBeLessThan(500);
  });

  it.each([
    ['is good', { delayMs: 10 }],
    ['has a long way', { delayMs: 150 }],
    ['delays packets differently', { delayMs: 10, jitterMs: 30, keepsOrder: false }],
    ['is somewhat wider than the stream', { delayMs: 10, rateBps: 1_800_000, queueMs: 2000 }],
  ])('that %s misses no frame', async (_what, settings) => {
    line.set(settings);
    publish();
    const { seen } = await watch();
    await until(() => seen.length > 6 * framesPerSecond, 'six seconds');
    expect(new Set(stepsOf(seen))).toEqual(new Set([40]));
  });
});

describe('S45: SRT players that never acknowledge packets', () => {
  it('cost little memory, and are disconnected though they send keep-alives', async () => {
    publish();
    const caller = await RawCaller.open(server.listener.port);
    await caller.conclude({ streamId: '#!::r=live/show,m=request' });
    await until(() => playersOf() === 1, 'the first one plays');
    const [pid = 0] = workersOf(process.pid, 'srt');
    const beforeMb = residentMbOf(pid);
    const alive = setInterval(() => caller.keepAlive(), 200);
    for (let n = 1; n < 100; n++) await caller.conclude({ streamId: '#!::r=live/show,m=request' });
    await until(() => playersOf() > 90, 'they play');
    await until(() => playersOf() === 0, 'all are ended');
    clearInterval(alive);
    caller.close();
    // Half a megabyte each: with all of libsrt's buffer it was twice as much, and more with every second.
    expect(peakMbOf(pid) - beforeMb).toBeLessThan(50);
  });
});
