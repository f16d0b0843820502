import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaFrame } from '@weir/media';
import { defaultVhost } from '@weir/streams';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { madeOnce } from '../../../../../tests/made-once.fixture.ts';
import { LossyProxy } from '../../../../../tests/media/fixtures/lossy-proxy.fixture.ts';
import { workersOf } from '../../../../../tests/weir.fixture.ts';
import { Admission } from '../../hub/clients/admission.ts';
import { type Gate, Refused } from '../../hub/clients/gate.ts';
import { Hub } from '../../hub/hub.ts';
import type { Packager } from '../../hub/packager.ts';
import { FakeGate } from '../../packagers/hls/hls-source.fixture.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { SrtServer } from './srt-server.ts';
import { RawCaller } from './worker/libsrt/srt-handshake.fixture.ts';
import { TestCaller } from './worker/srt-caller.fixture.ts';

const megabyte = 1024 * 1024;
const listen = { host: '127.0.0.1', port: 0 };
const log = quietLog.child({}, { level: 'fatal' });
let hub: Hub;
let server: SrtServer;
let admission: Admission;
let callers: TestCaller[] = [];

/** Refuses names that begin with `no`. */
function pickyGate(): Gate {
  const gate: Gate = new FakeGate();
  gate.publish = async ({ place }) => {
    if (place.name.startsWith('no')) throw new Refused('not you');
  };
  return gate;
}

async function open(passphrase = '', { isFiltered = true, roomBytes = 2 ** 30 } = {}): Promise<void> {
  hub = new Hub({ returnMs: 60_000 });
  admission = new Admission({ hub, gate: pickyGate(), log });
  const settings = { listen, passphrase, library: '', isFiltered, latencyMs: 200 };
  server = new SrtServer({ hub, admission, viewOf: (stream) => stream, log, settings, roomBytes });
  await server.open();
}

async function dial(streamId: string, passphrase?: string, port = server.listener.port): Promise<TestCaller> {
  const caller = await TestCaller.dial(port, streamId, { passphrase });
  callers.push(caller);
  return caller;
}

async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
    await sleep(10);
  }
}

/** 0 once it is gone. */
function peakMbOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  return existsSync(file) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1024 : 0;
}

const streamOf = (name: string) => hub.find({ vhost: defaultVhost, app: 'live', name });

beforeEach(() => open());
afterEach(async () => {
  await Promise.all(callers.map((caller) => caller.close()));
  callers = [];
  hub.close();
  await server.close();
});

describe('the SRT server', () => {
  it('refuses a caller during the handshake and gives the reason', async () => {
    await dial('#!::r=live/busy,m=publish');
    await until(() => streamOf('busy') !== undefined, 'published');
    // The process that answers calls is told a moment later, and lets in until then whoever is ended after it.
    const deadline = Date.now() + 60_000;
    const busy = '#!::r=live/busy,m=publish';
    while ((await dial(busy)).isConnected && Date.now() < deadline) await sleep(10);
    const ids = [busy, '#!::r=live/missing', '#!::r=live/../up', '#!::r=live/x,m=other'];
    const refused = await Promise.all(ids.map((id) => dial(id)));
    expect(refused.map(({ rejectReason }) => rejectReason)).toEqual([1409, 1404, 1400, 1405]);
  });

  it('disconnects a caller that the control plane refuses', async () => {
    const caller = await dial('#!::r=live/nobody,m=publish');
    await until(() => !caller.isConnected, 'disconnected');
    expect(streamOf('nobody')).toBeUndefined();
  });

  it.each([
    ['there is no libsrt', () => ({ library: '/nowhere/libsrt.so', port: 0 }), 'no-library'],
    ['its port is taken', () => ({ library: '', port: server.listener.port }), 'port-taken'],
  ])('opens and reports why it is off when %s', async (_what, where, note) => {
    const { library, port } = where();
    const settings = { listen: { host: '127.0.0.1', port }, passphrase: '', library, isFiltered: true, latencyMs: 200 };
    const other = new SrtServer({ hub, admission, viewOf: (stream) => stream, log, settings });
    await other.open();
    expect(other.listener).toEqual({ protocol: 'srt', port, ready: false, note });
    expect(server.listener).toMatchObject({ ready: true, note: '' });
    await other.close();
  });

  it('accepts hundreds of callers at once, refuses the invalid ones, and ends all of them together', async () => {
    const ids = Array.from({ length: 200 }, (_, n) =>
      n % 5 === 0 ? '#!::r=live/missing' : `#!::r=live/s${n},m=publish`,
    );
    const dialled = await Promise.all(ids.map((id) => dial(id)));
    expect(dialled.filter(({ isConnected }) => isConnected).length).toBe(160);
    await until(() => hub.clients.size === 160, 'all publish');
    await server.close();
    expect(hub.clients.size).toBe(0);
  });

  it('refuses a flood of wrong passphrases and serves the caller with the right one', async () => {
    await server.close();
    await open('a good passphrase');
    const wrong = await Promise.all(Array.from({ length: 40 }, (_, n) => dial(`live/w${n}`, `wrong passphrase ${n}`)));
    expect(wrong.some(({ isConnected }) => isConnected)).toBe(false);
    expect(hub.size).toBe(0);
    expect((await dial('live/right', 'a good passphrase')).isConnected).toBe(true);
  });

  it('starts no process until somebody calls, and F23: starts another when that one was killed', async () => {
    expect(workersOf(process.pid, 'srt')).toEqual([]);
    await dial('#!::r=live/one,m=publish');
    await until(() => streamOf('one')?.publisher !== undefined, 'published');
    const viewer = await dial('#!::r=live/one,m=request');
    await until(() => hub.clients.size === 2, 'both are listed');
    const [pid = 0, ...more] = workersOf(process.pid, 'srt');
    expect(more).toEqual([]);
    process.kill(pid, 'SIGKILL');
    await until(() => hub.clients.size === 0, 'both are gone from the list');
    expect(server.exits).toMatchObject({ worker: 'srt', count: 1, last: { reason: 'ended by SIGKILL' } });
    expect(server.listener).toMatchObject({ ready: true, note: '' });
    expect(streamOf('one')?.publisher).toBeUndefined();
    await until(() => !viewer.isConnected, 'the viewer notices');
    expect((await dial('#!::r=live/one,m=publish')).isConnected).toBe(true);
    await until(() => streamOf('one')?.publisher !== undefined, 'published again');
    expect(workersOf(process.pid, 'srt')).not.toContain(pid);
  });

  it('S33: stays within its memory limit where the kernel filters no handshakes', async () => {
    await server.close();
    await open('', { isFiltered: false, roomBytes: 64 * megabyte });
    const hostile = await RawCaller.open(server.listener.port);
    const [pid = 0] = workersOf(process.pid, 'srt');
    let peakMb = 0;
    for (let n = 0; n < 80 && server.exits === undefined; n++) {
      const window = n % 2 === 0 ? 60_000_000 : 2_000_000;
      await hostile.throwConclusion({ streamId: `#!::r=live/h${n},m=publish`, window });
      await sleep(10);
      peakMb = Math.max(peakMb, peakMbOf(pid));
    }
    hostile.close();
    expect(peakMb).toBeLessThan(704);
    await until(() => hub.clients.size === 0, 'all are gone');
    // If the last one ended the process, another one is on its way.
    await vi.waitFor(async () => expect((await dial('#!::r=live/after,m=publish')).isConnected).toBe(true), {
      timeout: 60_000,
    });
  });

  it('keeps the order of a sender without timestamps that asks for no order, despite packet loss', async () => {
    const proxy = await LossyProxy.open(server.listener.port, 10);
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=8'];
    const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-b:v', '600k', '-pix_fmt', 'yuv420p'];
    const clip = readFileSync(madeOnce([...picture, ...codec], 'ts'));
    const caller = await TestCaller.dial(proxy.port, '#!::r=live/lossy,m=publish', { isTimed: false });
    callers.push(caller);
    await until(() => streamOf('lossy') !== undefined, 'published');
    const frames: MediaFrame[] = [];
    const packager: Packager = {
      onConfig: () => undefined,
      onFrame: (frame) => frames.push(frame),
      onDiscontinuity: () => undefined,
      close: () => undefined,
    };
    streamOf('lossy')?.attach(packager);
    for (let at = 0; at < clip.length; at += 1316) {
      while (!caller.sendUnordered(clip.subarray(at, at + 1316))) await sleep(1);
      if ((at / 1316) % 20 === 0) await sleep(1);
    }
    // The last frame is complete only if its last packet is padded.
    await until(() => frames.length >= 8 * 25 - 1, 'all frames');
    expect(proxy.lost).toBeGreaterThan(50);
    expect(frames.map(({ dtsMs }) => dtsMs)).toEqual(frames.map((_, n) => n * 40));
    proxy.close();
  });
});
