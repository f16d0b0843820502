import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClientEntry } from '../hub/clients/clients.ts';
import { FanOut } from '../hub/fan-out/fan-out.ts';
import { client, picture, place, videoConfig } from '../hub/frames.fixture.ts';
import { Hub } from '../hub/hub.ts';
import { quietLog } from '../quiet-log.fixture.ts';
import { loadNativeSend, type NativeSend } from './native-send.ts';
import { contentOf, format, openPair, type Pair, readFrames } from './sent-frames.fixture.ts';
import { SharedBytes } from './shared-bytes.ts';
import { SharedMemory } from './shared-memory.ts';

const megabyte = 1024 * 1024;

/** The native calls, and how often a socket took all, a part or nothing. */
let calls: NativeSend;
const taken = { all: 0, part: 0, nothing: 0 };
let listener: Server;
const closers: (() => void)[] = [];

beforeAll(async () => {
  const native = await loadNativeSend();
  calls = {
    ...native,
    sendfile: (socket, file, offset, bytes) => {
      const sent = native.sendfile(socket, file, offset, bytes);
      taken[sent === bytes ? 'all' : sent > 0 ? 'part' : 'nothing'] += 1;
      return sent;
    },
  };
  listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
});
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
  Object.assign(taken, { all: 0, part: 0, nothing: 0 });
});
afterAll(() => void listener.close());

async function pair(): Promise<Pair> {
  const made = await openPair(listener);
  closers.push(made.close);
  return made;
}

async function open(load: () => Promise<NativeSend> = async () => calls) {
  const memory = new SharedMemory(quietLog, load);
  await memory.open();
  const hub = new Hub({ returnMs: 60_000 });
  closers.push(() => memory.close());
  closers.push(() => hub.close());
  const begin = (name: string) => {
    const stream = hub.open({ ...place, name });
    if (!stream) throw new Error('no stream');
    const publication = stream.publish(client());
    publication.config(videoConfig);
    const out = new FanOut(stream, format, { bytesOut: stream.stats.bytesOut, onEmpty: () => undefined, memory });
    return { stream, publication, out };
  };
  return { memory, begin };
}

/** A window ends on its own. This viewer has all of it. */
async function hasWindow(entry: ClientEntry | undefined, { bytes }: Pair): Promise<void> {
  const counters = entry?.counters ?? { bytesOut: 0 };
  const before = counters.bytesOut;
  await until(() => counters.bytesOut > before && bytes() === counters.bytesOut);
}

const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true), { interval: 5 });
const descriptors = () => readdirSync('/proc/self/fd').length;

describe('the memory file', () => {
  it('brings viewers that read at once, in bursts and late every byte, and keeps no more than a group', async () => {
    const { memory, begin } = await open();
    const { publication, out } = begin('one');
    publication.frame(picture(0, true, 1000));
    const quick = await pair();
    const bursts = await pair();
    const late = await pair();
    late.peer.pause();
    const counts = [quick, bursts, late].map(({ server }) => {
      const entry = client('flv-play');
      out.add(entry, server);
      return entry;
    });
    let most = 0;
    const times = [0];
    for (let n = 1; n <= 60; n++) {
      if (n % 7 === 0) bursts.peer[n % 2 === 0 ? 'pause' : 'resume']();
      publication.frame(picture(n * 40, n % 10 === 0, 50_001));
      times.push(n * 40);
      await hasWindow(counts[0], quick);
      most = Math.max(most, memory.bytes);
    }
    bursts.peer.resume();
    late.peer.resume();
    const total = counts[0]?.counters.bytesOut ?? 0;
    await until(() => [quick, bursts, late].every(({ bytes }) => bytes() === total));
    for (const { received } of [quick, bursts, late]) expect(readFrames(received()).times).toEqual(times);
    expect(counts.map(({ counters }) => counters.bytesOut)).toEqual([total, total, total]);
    // The late one filled its socket in the middle of a window and got the rest as before.
    expect(taken.all).toBeGreaterThan(60);
    expect(most).toBeLessThan(2 * megabyte);
  });

  it('lets a viewer that takes nothing continue at a keyframe, with whole frames', async () => {
    const { begin } = await open();
    const { publication, out } = begin('one');
    publication.frame(picture(0, true, 1000));
    const quick = await pair();
    const stuck = await pair();
    stuck.peer.pause();
    const reader = client('flv-play');
    out.add(reader, quick.server);
    const slow = client('flv-play');
    const viewer = out.add(slow, stuck.server);
    let n = 1;
    const next = async () => {
      publication.frame(picture(n * 40, n % 5 === 0, megabyte));
      await hasWindow(reader, quick);
      n += 1;
    };
    while (slow.counters.droppedFrames < 8) await next();
    expect(taken.part).toBeGreaterThan(0);
    stuck.peer.resume();
    while (viewer.behindSinceMs !== undefined || n % 5 !== 2) await next();
    await until(
      () => stuck.received().includes(` ${(n - 1) * 40} `) && stuck.received().length === slow.counters.bytesOut,
    );
    const { times, entries } = readFrames(stuck.received());
    const gap = times.findIndex((time, index) => index > 0 && time !== (times[index - 1] ?? 0) + 40);
    expect(gap).toBeGreaterThan(0);
    expect(entries).toContain(times[gap]);
    expect(times.at(-1)).toBe((n - 1) * 40);
  });

  it('leaves what is in the queue of a socket as it was when its memory is given back and used again', async () => {
    const { memory } = await open();
    const { server, peer, received, bytes } = await pair();
    peer.pause();
    const first = new SharedBytes([contentOf(1, 30_000), contentOf(2, 20_000)]);
    const region = memory.file?.open(50_000);
    first.store(region);
    expect(first.sendTo(server)).toBe(50_000);
    region?.close();
    expect(memory.bytes).toBe(0);
    expect(() => first.buffer).toThrow('no longer in memory');
    const again = memory.file?.open(50_000);
    const second = new SharedBytes([contentOf(3, 50_000)]);
    second.store(again);
    // The same place in the file now has bytes of somebody else.
    expect(first.sendTo(server)).toBe(0);
    expect(second.sendTo(server, 10)).toBe(49_990);
    again?.close();
    peer.resume();
    await until(() => bytes() === 99_990);
    const expected = [contentOf(1, 30_000), contentOf(2, 20_000), contentOf(3, 50_000).subarray(10)];
    expect(received().equals(Buffer.concat(expected))).toBe(true);
  });

  it('survives viewers that leave in the middle and a stream that starts again, and gives everything back', async () => {
    const before = descriptors();
    const { memory, begin } = await open();
    const { stream, publication, out } = begin('one');
    expect(descriptors()).toBeLessThanOrEqual(before + 1);
    publication.frame(picture(0, true, 1000));
    const stays = await pair();
    out.add(client('flv-play'), stays.server);
    const leaving = await Promise.all([1, 2, 3].map(() => pair()));
    const viewers = leaving.map(({ server }) => out.add(client('flv-play'), server));
    publication.frame(picture(40, false, 3 * megabyte));
    leaving[0]?.peer.resetAndDestroy();
    leaving[1]?.server.destroy();
    leaving[2]?.server.end();
    for (let n = 2; n < 8; n++) {
      publication.frame(picture(n * 40, n === 5, 100_000));
      await until(() => stays.received().includes(` ${n * 40} `));
    }
    for (const viewer of viewers) out.remove(viewer);
    publication.end();
    const other = stream.publish(client());
    other.config(videoConfig);
    other.frame(picture(0, true, 70_000));
    await until(() => readFrames(stays.received()).entries.length === 3);
    const late = await pair();
    const viewer = out.add(client('flv-play'), late.server);
    await until(() => readFrames(late.received()).entries.length === 1);
    expect(readFrames(stays.received()).times.slice(0, 8)).toEqual([0, 40, 80, 120, 160, 200, 240, 280]);
    expect(memory.bytes).toBeGreaterThan(0);
    out.remove(viewer);
    stream.close();
    out.close();
    stays.server.destroy();
    await vi.waitFor(() => expect(memory.bytes).toBe(0));
  });

  it('holds a hundred streams in one descriptor', async () => {
    const { memory, begin } = await open();
    const before = descriptors();
    const streams = Array.from({ length: 100 }, (_, index) => begin(`s${index}`));
    const peers: Pair[] = [];
    for (const { publication, out } of streams) {
      publication.frame(picture(0, true, 300));
      for (let n = 0; n < 2; n++) {
        const made = await pair();
        peers.push(made);
        out.add(client('flv-play'), made.server);
      }
    }
    for (let n = 1; n <= 5; n++)
      for (const { publication } of streams) publication.frame(picture(n * 40, n === 3, 300));
    await until(() => peers.every(({ received }) => received().includes(' 200 ')));
    for (const { received } of peers) expect(readFrames(received()).times).toEqual([0, 40, 80, 120, 160, 200]);
    expect(descriptors()).toBeLessThanOrEqual(before + 2 * peers.length);
    // One page for each.
    expect(memory.bytes).toBeLessThanOrEqual(streams.length * 2 * 4096);
  });

  it('is not needed: without native calls viewers get the same from buffers', async () => {
    const { memory, begin } = await open(() => Promise.reject(new Error('no koffi')));
    expect(memory.file).toBeUndefined();
    const { publication, out } = begin('one');
    publication.frame(picture(0, true, 1000));
    const { server, received } = await pair();
    out.add(client('flv-play'), server);
    for (let n = 1; n <= 4; n++) publication.frame(picture(n * 40, n === 3, 100_000));
    await until(() => received().includes(' 160 '));
    await until(() => readFrames(received()).times.length === 5);
    expect(taken).toEqual({ all: 0, part: 0, nothing: 0 });
  });

  it('is not needed for bytes beyond a limit on the size of files: they stay in buffers, and the process goes on', async () => {
    const [memory, bytes] = ['shared-memory.ts', 'shared-bytes.ts'].map((name) => new URL(name, import.meta.url).href);
    const script = `
      import { SharedMemory } from '${memory}';
      import { SharedBytes } from '${bytes}';
      const memory = new SharedMemory({ info: () => undefined });
      await memory.open();
      const seen = [1, 2, 3, 4].map((value) => {
        const shared = new SharedBytes([Buffer.alloc(${megabyte}, value)]);
        shared.store(memory.file?.open(${megabyte}));
        return [shared.isStored, shared.buffer.length, shared.buffer.at(-1)];
      });
      console.log(JSON.stringify(seen));`;
    const limited = ['--fsize=3145728', process.execPath, '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)('prlimit', limited);
    expect(JSON.parse(stdout)).toEqual([
      [true, megabyte, 1],
      [true, megabyte, 2],
      [false, megabyte, 3],
      [false, megabyte, 4],
    ]);
  });
});
