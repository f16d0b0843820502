import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { SharedBytes } from '../delivery/shared-bytes.ts';
import { GroupBytes } from './fan-out/group-bytes.ts';
import { client, picture, place, videoConfig } from './frames.fixture.ts';
import { GopCache } from './gop-cache.ts';
import { Hub } from './hub.ts';
import { inOwnMemory } from './own-memory.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const megabyte = 1024 * 1024;

describe('S40: frames of five bytes in large reads', () => {
  it('do not keep the read buffers in memory', async () => {
    const hub = new Hub({ returnMs: 1000 });
    const stream = hub.open(place);
    if (!stream) throw new Error('refused');
    const publication = stream.publish(client());
    publication.config(videoConfig);
    collect();
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 2000; n++) {
      const read = Buffer.alloc(64 * 1024, n);
      publication.frame({ ...picture(n, n === 0), payload: read.subarray(100, 105) });
    }
    expect(stream.cached()).toHaveLength(2000);
    expect(stream.cached()[7]?.payload).toEqual(Buffer.alloc(5, 7));
    // Freed memory is returned by another thread at some later time.
    const keptMb = () => {
      collect();
      return (process.memoryUsage().arrayBuffers - before) / megabyte;
    };
    await expect.poll(keptMb).toBeLessThan(10);
    hub.close();
  });

  it('count with their overhead, so that the cache stays within its memory limit', () => {
    const cache = new GopCache();
    cache.push(picture(0, true, 5));
    let most = 0;
    for (let n = 0; n < 100_000; n++) {
      cache.push(picture(0, false, 5));
      most = Math.max(most, cache.frames.length);
    }
    expect(most).toBeLessThan(40_000);
    expect(cache.frames).toHaveLength(0);
    const group = new GroupBytes(undefined);
    group.begin(new SharedBytes([Buffer.alloc(5)]));
    for (let n = 0; n < 100_000; n++) group.add(new SharedBytes([Buffer.alloc(5)]));
    expect(group.windows).toHaveLength(0);
  });

  it('of audio with a constant timestamp leave room for later frames', () => {
    const cache = new GopCache();
    const sound = (n: number) => ({ ...picture(n, true, 1000), kind: 'audio' as const });
    for (let n = 0; n < 20_000; n++) cache.push(sound(0));
    cache.push(sound(1));
    expect(cache.frames.length).toBeGreaterThan(0);
    expect(cache.bytes).toBeLessThan(16 * megabyte);
  });
});

describe('large frames in larger reads', () => {
  const read = () => Buffer.alloc(64 * 1024);

  it('are counted with their read buffer, once for all frames that share it', () => {
    const [alone, shared] = [new GopCache(), new GopCache()];
    const common = read();
    alone.push(picture(0, true));
    shared.push(picture(0, true));
    for (let n = 1; n <= 200; n++) {
      alone.push({ ...picture(n), payload: read().subarray(0, 5000) });
      shared.push({ ...picture(n), payload: common.subarray(0, 5000) });
    }
    expect(alone.frames.length).toBe(201);
    for (let n = 201; n <= 400; n++) alone.push({ ...picture(n), payload: read().subarray(0, 5000) });
    expect(alone.frames.length).toBe(0);
    expect(shared.frames.length).toBe(201);
  });
});

describe('inOwnMemory', () => {
  it('does not copy a frame that makes up most of its read buffer', () => {
    const read = Buffer.alloc(1000);
    const frame = { ...picture(0), payload: read.subarray(0, 400) };
    expect(inOwnMemory(frame)).toBe(frame);
  });
});
