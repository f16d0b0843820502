import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaFrame, TrackConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { defaultVhost } from '@weir/streams';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workersOf } from '../../../../../tests/weir.fixture.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { FakeGate } from '../../packagers/hls/hls-source.fixture.ts';
import { framesPerSecond, SrtDesk, srtClip, stepsOf, until } from './srt-desk.fixture.ts';
import { RawCaller } from './worker/libsrt/srt-handshake.fixture.ts';
import { TestPlayer } from './worker/test-player.fixture.ts';

const place = { vhost: defaultVhost, app: 'live', name: 'show' };
let desk: SrtDesk;
let player: TestPlayer | undefined;
let timer: NodeJS.Timeout | undefined;

function media(): { configs: TrackConfig[]; frames: MediaFrame[] } {
  const clip = readFileSync(srtClip(framesPerSecond));
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
  const publication = desk.hub.open(place)?.publish(Clients.entry(info, () => undefined));
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
  desk = await SrtDesk.open({ gate: new FakeGate(), latencyMs: 200 });
});
afterEach(async () => {
  clearInterval(timer);
  await player?.close();
  await desk.close();
});

/** A player that watches for two seconds, and the shortest way that a picture had. */
async function watch(): Promise<{ seen: TestPlayer['frames']; lateMs: (from: number) => number[] }> {
  player = await TestPlayer.dial(desk.line.port, '#!::r=live/show,m=request');
  const seen = player.frames;
  await until(() => seen.length > 2 * framesPerSecond, 'two seconds');
  const usualMs = Math.min(...seen.map(({ frame, atMs }) => atMs - frame.dtsMs));
  return { seen, lateMs: (from) => seen.slice(from).map(({ frame, atMs }) => atMs - frame.dtsMs - usualMs) };
}

const playersOf = () => [...desk.hub.clients.all()].filter(({ info }) => info.kind === 'srt-play').length;

const memoryOf = (pid: number, field: string) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
const residentMbOf = (pid: number) => memoryOf(pid, 'VmRSS');
const peakMbOf = (pid: number) => memoryOf(pid, 'VmHWM');

describe('an SRT player on a line', () => {
  it('with half the bandwidth of the stream sees whole frames, stays current, and recovers at once', async () => {
    desk.line.set({ delayMs: 10 });
    publish();
    const { seen, lateMs } = await watch();
    const before = seen.length;
    desk.line.toClient.set({ rateBps: 550_000, queueMs: 300 });
    await sleep(8000);
    desk.line.toClient.set({ rateBps: Number.POSITIVE_INFINITY });
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
    desk.line.set({ delayMs: 10 });
    publish();
    const { seen, lateMs } = await watch();
    desk.line.set({ isDown: true });
    await sleep(3000);
    desk.line.set({ isDown: false });
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
    desk.line.set(settings);
    publish();
    // Publisher, line and player share this process: when a busy machine holds it up for longer than the latency, frames are late by right. A
    // fault of ours is there each time.
    let wrongSteps = [0];
    for (let watches = 0; watches < 3 && wrongSteps.length > 0; watches++) {
      if (watches > 0) await player?.close();
      const { seen } = await watch();
      await until(() => seen.length > 6 * framesPerSecond, 'six seconds');
      wrongSteps = stepsOf(seen).filter((ms) => ms !== 40);
    }
    expect(wrongSteps).toEqual([]);
  });
});

describe('S45: SRT players that never acknowledge packets', () => {
  it('cost little memory, and are disconnected though they send keep-alives', async () => {
    publish();
    const caller = await RawCaller.open(desk.server.listener.port);
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
