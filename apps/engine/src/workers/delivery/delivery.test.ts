import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { format, openPair, type Pair, readFrames } from '../../delivery/sent-frames.fixture.ts';
import { SharedMemory } from '../../delivery/shared-memory.ts';
import type { ClientEntry } from '../../hub/clients/clients.ts';
import { FanOut } from '../../hub/fan-out/fan-out.ts';
import type { Viewer } from '../../hub/fan-out/viewer.ts';
import { client, picture, place, videoConfig } from '../../hub/frames.fixture.ts';
import { Hub } from '../../hub/hub.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { DeliveryPool } from './delivery-pool.ts';

const megabyte = 1024 * 1024;
const everyMs = 20;
const groupFrames = 10;

/** Delivery workers of this process. */
function workers(): number[] {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1')
    .split(' ')
    .filter((pid) => pid !== '' && commandOf(pid).includes('delivery-worker'))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 10, timeout: 50_000 });
const descriptors = () => readdirSync('/proc/self/fd').length;

interface Watching extends Pair {
  readonly entry: ClientEntry;
  readonly viewer: Viewer;
  readonly kicked: () => string;
}

let listener: Server;
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => void listener.close());

/** A stream that goes on by itself, in a pool of so many workers. */
async function open(most: number, isByLoad = false) {
  const memory = new SharedMemory(quietLog);
  await memory.open();
  const pool = new DeliveryPool({ most, isByLoad, busyMs: 300, memory, log: quietLog, logLevel: 'error' });
  const stream = new Hub({ returnMs: 60_000 }).open(place);
  if (!stream) throw new Error('no stream');
  const publication = stream.publish(client());
  publication.config(videoConfig);
  const { bytesOut } = stream.stats;
  const out = new FanOut(stream, format, { bytesOut, onEmpty: () => undefined, memory, delivery: pool });
  let n = 0;
  let size = 5000;
  const publish = () => {
    publication.frame(picture(n * everyMs, n % groupFrames === 0, size));
    n += 1;
  };
  publish();
  const timer = setInterval(publish, everyMs);
  closers.push(() => memory.close());
  closers.push(() => pool.close());
  closers.push(() => {
    clearInterval(timer);
    stream.close();
  });
  const watch = async (): Promise<Watching> => {
    const pair = await openPair(listener);
    closers.push(pair.close);
    let reason = '';
    const entry = client('flv-play', (why) => {
      reason = why;
      pair.server.destroy();
    });
    const viewer = out.add(entry, pair.server);
    pair.server.once('close', () => out.remove(viewer));
    return { ...pair, entry, viewer, kicked: () => reason };
  };
  const setSize = (bytes: number) => {
    size = bytes;
  };
  return { memory, pool, stream, out, watch, setSize, sent: () => n };
}

/** All but the last frame, of which a part may be on its way. */
function untilLastFrame(received: Buffer): Buffer {
  return received.subarray(0, Math.max(received.lastIndexOf('p '), received.lastIndexOf('K ')));
}

/** Every frame from its first to the last, each byte as it was sent. */
function expectWhole({ received }: Pair): readonly number[] {
  const { times } = readFrames(untilLastFrame(received()));
  const [first = 0] = times;
  expect(times).toEqual(times.map((_, index) => first + index * everyMs));
  return times;
}

/** Stops in the middle of no frame. */
async function finish(all: readonly Watching[], stop: () => void): Promise<void> {
  stop();
  await Promise.all(all.map(({ peer }) => (peer.closed ? undefined : once(peer, 'close'))));
}

describe('delivery workers', () => {
  it('start with the first viewer, and send it every byte once, from where the engine stopped', async () => {
    const { pool, stream, out, watch, memory } = await open(1);
    expect(workers()).toEqual([]);
    const all = [await watch()];
    await until(() => workers().length === 1);
    for (let n = 0; n < 5; n++) all.push(await watch());
    await until(() => all.every(({ viewer }) => viewer.seat?.isReady === true));
    const before = descriptors();
    // All of what follows comes from the workers, which report it every second.
    const counted = all.map(({ entry }) => entry.counters.bytesOut);
    await until(() => all.every(({ entry }, index) => entry.counters.bytesOut > (counted[index] ?? 0) + 300_000));
    expect(out.size).toBe(6);
    expect(memory.bytes).toBeLessThan(4 * megabyte);
    expect(descriptors()).toBe(before);
    expect(stream.stats.bytesOut.total).toBeGreaterThan(1_500_000);
    await finish(all, () => stream.close());
    for (const one of all) {
      expect(expectWhole(one).length).toBeGreaterThan(50);
      expect(one.kicked()).toBe('the stream has ended');
    }
    await until(() => memory.bytes === 0);
    expect(pool.exits).toEqual([]);
  });

  it('start by load only where sending keeps the engine busy, and take over who is there', async () => {
    const { pool, watch } = await open(1, true);
    const one = await watch();
    let sendingMs = 0;
    const timer = setInterval(() => {
      const endMs = performance.now() + 80;
      while (performance.now() < endMs);
      pool.addSendingTime(sendingMs);
    }, 100);
    closers.push(() => clearInterval(timer));
    await sleep(1500);
    expect(workers()).toEqual([]);
    sendingMs = 80;
    await until(() => workers().length === 1);
    clearInterval(timer);
    await until(() => one.viewer.seat?.isReady === true);
    const before = one.bytes();
    await until(() => one.bytes() > before + 50_000);
    expectWhole(one);
  });

  it('disconnect a viewer at once that is kicked, and tell of one that left', async () => {
    const { out, watch } = await open(1);
    const [kicked, leaving, stays] = [await watch(), await watch(), await watch()];
    await until(() => [kicked, leaving, stays].every(({ viewer }) => viewer.seat?.isReady === true));
    await sleep(100);
    kicked.entry.kick('revoked');
    leaving.peer.destroy();
    await until(() => kicked.peer.closed && out.size === 1);
    const before = stays.bytes();
    await until(() => stays.bytes() > before + 50_000);
    expectWhole(stays);
  });

  it('kill -9 costs the viewers of that worker a reconnect, and nobody else anything', async () => {
    const { out, pool, watch, sent, memory } = await open(2);
    const first = await watch();
    await until(() => pool.running === 2);
    const all = [first, await watch(), await watch(), await watch()];
    await until(() => all.every(({ viewer }) => viewer.seat?.isReady === true));
    await sleep(200);
    const [victim = 0, other = 0] = workers();
    const before = sent();
    process.kill(victim, 'SIGKILL');
    await until(() => all.filter(({ peer }) => peer.closed).length === 2);
    expect(out.size).toBe(2);
    expect(pool.exits).toMatchObject([{ worker: 'delivery', count: 1 }]);
    // The stream went on, and who lost the worker comes again.
    const again = await watch();
    await until(() => again.viewer.seat?.isReady === true && workers().some((pid) => pid !== other));
    await until(() => sent() > before + 50);
    for (const one of [...all, again]) if (!one.peer.closed) expectWhole(one);
    expect(all.filter(({ kicked }) => kicked() !== '').map(({ kicked }) => kicked())).toEqual([
      'a delivery process ended',
      'a delivery process ended',
    ]);
    expect(memory.bytes).toBeLessThan(6 * megabyte);
  });

  it('let a viewer that takes nothing continue at a keyframe, and keep no memory for it', async () => {
    const { watch, memory, setSize, sent } = await open(1);
    const [slow, quick] = [await watch(), await watch()];
    await until(() => [slow, quick].every(({ viewer }) => viewer.seat?.isReady === true));
    await sleep(100);
    slow.peer.pause();
    setSize(300_000);
    await until(() => slow.entry.counters.droppedFrames > 10);
    // A report has the lag of the second before.
    await until(() => (slow.entry.lag?.() ?? 0) > 0);
    expect(memory.bytes).toBeLessThan(16 * megabyte);
    setSize(5000);
    slow.peer.resume();
    const at = sent();
    await until(() => sent() > at + 3 * groupFrames && slow.received().includes(` ${at * everyMs + everyMs * 20} `));
    const { times, entries } = readFrames(untilLastFrame(slow.received()));
    const gap = times.findIndex((time, index) => index > 0 && time !== (times[index - 1] ?? 0) + everyMs);
    expect(gap).toBeGreaterThan(0);
    expect(entries).toContain(times[gap]);
  });
});
