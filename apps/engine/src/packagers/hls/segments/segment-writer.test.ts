import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { quietLog } from '../../../quiet-log.fixture.ts';
import { temporaryDirectory } from '../hls-source.fixture.ts';
import { preparedPiece } from '../prepared-pieces.ts';
import { SegmentCache } from '../segment-cache.ts';
import { SegmentWriter } from './segment-writer.ts';

describe('SegmentWriter', () => {
  it('writes and removes files in order, and leaves no partial file', async () => {
    const directory = await temporaryDirectory();
    const writer = new SegmentWriter(quietLog);
    const written: string[] = [];
    for (const name of ['a', 'b', 'c'])
      writer.write(join(directory, 'live', name), Buffer.from(name), () => written.push(name));
    writer.remove(join(directory, 'live', 'a'));
    writer.removeDirectory(join(directory, 'live'));
    await writer.idle();
    expect(written).toEqual(['a', 'b', 'c']);
    expect(await readdir(join(directory, 'live'))).toEqual(['b', 'c']);
    expect(await readFile(join(directory, 'live', 'b'), 'utf8')).toBe('b');
  });

  it('warns once while the disk fails, and reports when it works again', async () => {
    const directory = await temporaryDirectory();
    const log = quietLog.child({});
    const warn = vi.spyOn(log, 'warn').mockReturnValue();
    const info = vi.spyOn(log, 'info').mockReturnValue();
    const writer = new SegmentWriter(log);
    const blocked = join(directory, 'live');
    await writeFile(blocked, '');
    let written = 0;
    for (const name of ['a', 'b']) writer.write(join(blocked, name), Buffer.from(name), () => written++);
    await writer.idle();
    expect([warn.mock.calls.length, written]).toEqual([1, 0]);
    await rm(blocked);
    writer.write(join(blocked, 'c'), Buffer.from('c'), () => written++);
    await writer.idle();
    expect([info.mock.calls.length, written]).toEqual([1, 1]);
  });

  it('limits the bytes that wait for a slow disk', async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, 'live'));
    const log = quietLog.child({});
    const warn = vi.spyOn(log, 'warn').mockReturnValue();
    const writer = new SegmentWriter(log);
    let written = 0;
    const bytes = Buffer.alloc(24 * 1024 * 1024);
    for (const name of ['a', 'b', 'c', 'd']) writer.write(join(directory, 'live', name), bytes, () => written++);
    expect(warn).toHaveBeenCalledOnce();
    await writer.idle();
    expect(written).toBe(2);
  });
});

describe('HotPieces', () => {
  it('drops the oldest pieces above its limit, but none that is not on disk', () => {
    const hot = new SegmentCache(100);
    const piece = preparedPiece(Buffer.alloc(40), 'video/mp2t');
    hot.put('/init', piece);
    for (const path of ['/a', '/b', '/b', '/c']) hot.putSpare(path, piece);
    hot.delete('/c');
    hot.delete('/c');
    hot.putSpare('/d', piece);
    const kept = ['/init', '/a', '/b', '/c', '/d'].filter((path) => hot.get(path));
    expect(kept).toEqual(['/init', '/b', '/d']);
    hot.halve();
    expect(['/init', '/b', '/d'].filter((path) => hot.get(path))).toEqual(['/init', '/d']);
  });
});
