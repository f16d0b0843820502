import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PublisherEnd } from '@weir/engine-api';
import { defaultVhost } from '@weir/streams';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gate, Refused } from '../../hub/clients/gate.ts';
import { FakeGate } from '../../packagers/hls/hls-source.fixture.ts';
import { framesPerSecond, type Seen, SrtDesk, srtClip, stepsOf, until } from './srt-desk.fixture.ts';
import { TestCaller } from './worker/srt-caller.fixture.ts';

/** Longer than publishers may be silent before somebody else may ask for their name. */
const silentMs = 1700;
let clip: string;
let desk: SrtDesk;
let ends: PublisherEnd[] = [];
let children: ChildProcess[] = [];
let callers: TestCaller[] = [];

beforeAll(() => {
  clip = srtClip(2 * framesPerSecond);
});

/** Refuses who has no secret. */
function gate(): Gate {
  const made: Gate = new FakeGate();
  made.publish = async ({ param }) => {
    if (!param.includes('secret=S')) throw new Refused('not you');
  };
  made.unpublish = (_client, why) => ends.push(why);
  return made;
}

beforeEach(async () => {
  ends = [];
  desk = await SrtDesk.open({ gate: gate(), latencyMs: 120 });
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  await Promise.all(callers.map((caller) => caller.close()));
  callers = [];
  await desk.close();
});

const streamOf = (name: string) => desk.hub.find({ vhost: defaultVhost, app: 'live', name });

function publish(name: string): ChildProcess {
  const url = `srt://127.0.0.1:${desk.line.port}?streamid=#!::r=live/${name}?secret=S,m=publish&connect_timeout=30000`;
  const child = spawn('ffmpeg', ['-v', 'error', '-re', '-i', clip, '-c', 'copy', '-f', 'mpegts', url], {
    stdio: 'ignore',
  });
  children.push(child);
  return child;
}

async function dial(name: string, secret: string): Promise<TestCaller> {
  const id = `#!::r=live/${name}?secret=${secret},m=publish`;
  const caller = await TestCaller.dial(desk.server.listener.port, id);
  callers.push(caller);
  return caller;
}

/** Video frames of a stream from now on, and when each came. */
function watch(name: string): Seen[] {
  const seen: Seen[] = [];
  streamOf(name)?.attach({
    onConfig: () => undefined,
    onFrame: (frame) => frame.kind === 'video' && seen.push({ frame, atMs: performance.now() }),
    onDiscontinuity: () => undefined,
    close: () => undefined,
  });
  return seen;
}

async function publishLive(name: string): Promise<Seen[]> {
  publish(name);
  await until(() => (streamOf(name)?.cached().length ?? 0) > framesPerSecond, 'live');
  const frames = watch(name);
  await until(() => frames.length > 0, 'frames');
  return frames;
}

describe('an SRT publisher', () => {
  it('with half the bandwidth it needs keeps the video moving, and recovers at once', async () => {
    const frames = await publishLive('narrow');
    await until(() => frames.length > 2 * framesPerSecond, 'two good seconds');
    const usualMs = Math.min(...frames.map(({ frame, atMs }) => atMs - frame.dtsMs));
    frames.length = 0;
    const received = () => [...desk.hub.clients.all()][0]?.counters.bytesIn ?? 0;
    const before = received();
    const startMs = performance.now();
    desk.line.toServer.set({ rateBps: 550_000, queueMs: 300 });
    await sleep(8000);
    desk.line.toServer.set({ rateBps: Number.POSITIVE_INFINITY });
    const tookMs = performance.now() - startMs;
    const narrow = frames.splice(0);
    const times = [startMs, ...narrow.map(({ atMs }) => atMs), startMs + tookMs];
    const waits = times.slice(1).map((atMs, n) => atMs - (times[n] ?? 0));
    const lateMs = narrow.map(({ frame, atMs }) => atMs - frame.dtsMs - usualMs).toSorted((a, b) => a - b);
    expect(((received() - before) * 8) / tookMs).toBeGreaterThan(400);
    // A quiet machine: 0.4 s frozen, half of the frames, 0.25 s late at most.
    expect(waits.filter((ms) => ms > 300).reduce((sum, ms) => sum + ms, 0)).toBeLessThan(3000);
    expect(narrow.length).toBeGreaterThan(2 * framesPerSecond);
    expect(lateMs[lateMs.length >> 1]).toBeLessThan(600);
    await until(() => frames.some(({ frame }) => frame.isKeyframe), 'a keyframe');
    frames.length = 0;
    await until(() => frames.length > 2 * framesPerSecond, 'two good seconds');
    expect(new Set(stepsOf(frames))).toEqual(new Set([40]));
  });

  it('that loses packets loses no frame, as long as the latency is enough for retransmission', async () => {
    desk.line.set({ loss: 0.03, delayMs: 20 });
    const frames = await publishLive('lossy');
    await until(() => frames.length > 6 * framesPerSecond, 'six seconds');
    expect(desk.line.toServer.queue.lost).toBeGreaterThan(10);
    expect(new Set(stepsOf(frames))).toEqual(new Set([40]));
  });

  it('whose connection is cut is reported as silent', async () => {
    await publishLive('cut');
    desk.line.set({ isDown: true });
    await until(() => ends.length > 0, 'gone');
    expect(ends).toEqual(['silent']);
  });

  it('whose address changes is accepted again at once, under the same name', async () => {
    const frames = await publishLive('moved');
    const before = streamOf('moved')?.publisher?.info.id;
    desk.line.changeAddress();
    await until(() => performance.now() - (frames.at(-1)?.atMs ?? performance.now()) > silentMs, 'silent');
    const again = publish('moved');
    await until(() => ![undefined, before].includes(streamOf('moved')?.publisher?.info.id), 'published again');
    frames.length = 0;
    await until(() => frames.length > framesPerSecond, 'frames');
    expect(again.exitCode).toBeNull();
    expect(ends).toEqual(['silent']);
  });
});

describe('S09: a name that is being published over SRT', () => {
  it('is refused to a caller without the secret, though its publisher is silent for a while', async () => {
    const frames = await publishLive('kept');
    const before = streamOf('kept')?.publisher?.info.id;
    desk.line.set({ isDown: true });
    await until(() => performance.now() - (frames.at(-1)?.atMs ?? performance.now()) > silentMs, 'silent');
    const intruder = await dial('kept', 'wrong');
    await until(() => !intruder.isConnected, 'refused');
    desk.line.set({ isDown: false });
    frames.length = 0;
    await until(() => frames.length > framesPerSecond, 'frames');
    expect(streamOf('kept')?.publisher?.info.id).toBe(before);
    expect(ends).toEqual([]);
  });

  it('is refused to another caller while its publisher is connected and sends nothing', async () => {
    const paused = await dial('paused', 'S');
    await until(() => streamOf('paused')?.publisher !== undefined, 'published');
    const before = streamOf('paused')?.publisher?.info.id;
    await sleep(silentMs);
    const other = await dial('paused', 'S');
    expect(other.isConnected).toBe(true);
    await until(() => !other.isConnected, 'refused');
    expect(paused.isConnected).toBe(true);
    expect(streamOf('paused')?.publisher?.info.id).toBe(before);
    expect(ends).toEqual([]);
  });
});
