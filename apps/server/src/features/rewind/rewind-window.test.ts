import { mkdtemp, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FinishedSegment, parseRewindLog, rewindPieces } from '@weir/engine-api';
import { expect, it } from 'vitest';
import { RewindWindow } from './rewind-window.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const minute = 60_000;
const day = 24 * 60 * minute;
const startMs = 1_800_000_000_000;

async function open(windowMs: number, segmentMs = 2000) {
  const home = await mkdtemp(join(tmpdir(), 'weir-rewind-'));
  const directory = join(home, 'window');
  let window = RewindWindow.empty(directory, place);
  let count = 0;
  const add = async (change: Partial<FinishedSegment> = {}) => {
    count += 1;
    const file = join(home, `${count}.ts`);
    await writeFile(file, `media of ${count}`);
    const segment: FinishedSegment = {
      ...place,
      id: `0b9f2c5e-8a0d-4c57-9f6e-${String(count).padStart(12, '0')}`,
      format: 'mpegts',
      clientId: 'c',
      file,
      durationMs: segmentMs,
      dateMs: startMs + count * segmentMs,
      sequence: count,
      isDiscontinuity: false,
      isIndependent: true,
      ...change,
    };
    await window.keep(segment, { windowMs, nowMs: startMs + (count + 1) * segmentMs });
    return segment;
  };
  const fill = async (segments: number) => {
    for (let index = 0; index < segments; index++) await add();
  };
  const chunks = async () => {
    const names = (await readdir(directory)).sort();
    return Promise.all(
      names.map(async (name, index) => {
        const log = parseRewindLog(await readFile(join(directory, name, 'log'), 'utf8'));
        if (!log) throw new Error('a chunk without a log');
        const pieces = rewindPieces(log, index < names.length - 1);
        return { name, first: Number(name), head: log.head, pieces, segments: log.segments };
      }),
    );
  };
  const restart = async () => {
    window = (await RewindWindow.resume(directory)) ?? RewindWindow.empty(directory, place);
  };
  return { directory, add, fill, chunks, restart, window: () => window };
}

it('numbers pieces without a gap across chunks, and links segments instead of copying them', async () => {
  const { directory, add, fill, chunks } = await open(10 * minute);
  const { file, id } = await add();
  await fill(79);
  const all = await chunks();
  expect(all.length).toBeGreaterThan(2);
  for (const [index, { first, pieces }] of all.entries()) {
    const next = all[index + 1];
    if (next) expect(next.first).toBe(first + pieces.length);
  }
  expect(all.flatMap(({ pieces }) => pieces)).toHaveLength(80);
  const kept = await stat(join(directory, all[0]?.name ?? '', `${id}.ts`));
  expect(kept.ino).toBe((await stat(file)).ino);
});

it('has the first segments as pieces of their own, then joins them where the window is long', async () => {
  const { fill, chunks } = await open(day);
  await fill(1);
  expect((await chunks()).flatMap(({ pieces }) => pieces)).toHaveLength(1);
  await fill(10);
  const lengths = (await chunks()).flatMap(({ pieces }) => pieces.map(({ segments }) => segments.length));
  expect(lengths).toEqual([1, 1, 1, 4, 4]);
});

it('keeps nothing twice and goes on after a kill, whatever was half written', async () => {
  const { directory, add, fill, chunks, restart, window } = await open(day);
  await fill(6);
  const again = await add();
  await window().keep(again, { windowMs: day, nowMs: startMs });
  const before = await chunks();
  const newest = join(directory, before.at(-1)?.name ?? '');
  await writeFile(join(newest, 'log'), '0b9f2c5e-8a0d', { flag: 'a' });
  const torn = before.at(-1)?.segments.at(-1)?.id ?? '';
  await truncate(join(newest, `${torn}.ts`), 3);
  await restart();
  expect((await chunks()).at(-1)?.segments).toEqual(before.at(-1)?.segments.slice(0, -1));
  // Its segment waits in the spool and comes again.
  await add({ id: torn, sequence: 7 });
  const after = await chunks();
  expect(after.at(-1)?.segments.map(({ isDiscontinuity }) => isDiscontinuity)).toEqual([false, false, false, false]);
  expect(after.at(-1)?.pieces.map(({ segments }) => segments.length)).toEqual([4]);
});

it('marks a discontinuity where numbers have a gap, and counts those of earlier chunks', async () => {
  const { add, fill, chunks } = await open(10 * minute);
  await fill(4);
  await add({ sequence: 9 });
  const segments = (await chunks()).flatMap((chunk) => chunk.segments);
  expect(segments.map(({ isDiscontinuity }) => isDiscontinuity)).toEqual([false, false, false, false, true]);
  await add({ sequence: 10 });
  for (let sequence = 11; sequence < 45; sequence++) await add({ sequence });
  expect((await chunks()).at(-1)?.head.discontinuities).toBe(1);
});

it('removes whole chunks that are too old, and everything when all of it is', async () => {
  const { directory, fill, chunks, window } = await open(10 * minute);
  await fill(120);
  const before = await chunks();
  expect(await window().prune(startMs + 150_000)).toBe(false);
  const after = await chunks();
  expect(after.length).toBeLessThan(before.length);
  expect(window().startMs).toBeLessThanOrEqual(startMs + 150_000);
  expect(await window().prune(startMs + day)).toBe(true);
  expect(await readdir(directory).catch(() => 'gone')).toBe('gone');
});

it('completes the last piece of a stream that ended', async () => {
  const { fill, chunks, window } = await open(day);
  await fill(5);
  expect((await chunks()).flatMap(({ pieces }) => pieces)).toHaveLength(3);
  await window().finish(startMs + minute);
  await window().finish(startMs + 2 * minute);
  expect((await chunks()).flatMap(({ pieces }) => pieces)).toHaveLength(4);
});
