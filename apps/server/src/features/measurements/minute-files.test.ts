import { mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleSpans, streamSampleFields } from '@weir/streams';
import { expect, it } from 'vitest';
import { MinuteFile, MinuteFiles } from './minute-files.ts';

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 0, 1);
const place = { vhost: '__defaultVhost__', app: 'live', stream: '../../etc/passwd' };
const directory = () => join(mkdtempSync(join(tmpdir(), 'weir-minutes-')), 'measurements');

function minutes(count: number, fromMs = startMs) {
  const at = Array.from({ length: count }, (_, index) => fromMs + index * minuteMs);
  return { at, columns: { inKbps: at.map((_, index) => index + 0.5), fps: at.map(() => null) } };
}

it('keeps one day, in a file that does not grow', async () => {
  const folder = directory();
  const files = new MinuteFiles({ directory: folder });
  await files.appendStream(place, minutes(1));
  const [name = ''] = readdirSync(folder);
  const { size } = statSync(join(folder, name));
  await files.appendStream(place, minutes(sampleSpans.kept + 10, startMs + minuteMs));
  expect(statSync(join(folder, name)).size).toBe(size);
  expect(size).toBeLessThan(140_000);
  const nowMs = startMs + (sampleSpans.kept + 10) * minuteMs;
  const kept = await files.readStream(place, 0, nowMs);
  expect(kept.at).toHaveLength(sampleSpans.kept);
  expect(kept.at.at(-1)).toBe(nowMs);
  expect(kept.at).toEqual(kept.at.toSorted((a, b) => a - b));
  expect(kept.columns.inKbps?.at(-1)).toBe(sampleSpans.kept + 9.5);
  expect(kept.columns.fps?.at(-1)).toBeNull();
  expect(kept.columns.rttMs?.at(-1)).toBeNull();
  expect((await files.readStream(place, nowMs - 2 * minuteMs, nowMs)).at).toHaveLength(2);
});

it('skips entries that are torn, of another kind or in the future', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'weir-minutes-')), 'one');
  const file = new MinuteFile(path, streamSampleFields);
  expect((await file.read(0, startMs)).at).toEqual([]);
  await file.append(minutes(3));
  expect((await file.read(0, startMs + minuteMs)).at).toHaveLength(2);
  expect(await new MinuteFile(path, ['other']).read(0, startMs + 3 * minuteMs)).toEqual({
    at: [],
    columns: { other: [] },
  });
  writeFileSync(path, Buffer.alloc(3000, 0xff));
  expect((await file.read(0, startMs + 3 * minuteMs)).at).toEqual([]);
  expect(await file.append(minutes(1))).toBe(true);
  expect((await file.read(0, startMs)).at).toEqual([startMs]);
});

it('keeps a bounded number of streams, and always those of the server', async () => {
  const folder = directory();
  const files = new MinuteFiles({ directory: folder, mostStreams: 3 });
  await files.appendServer(minutes(1));
  for (let number = 0; number < 6; number += 1) {
    await files.appendStream({ ...place, stream: `s${number}` }, minutes(1));
    for (const name of readdirSync(folder)) {
      const { mtimeMs } = statSync(join(folder, name));
      utimesSync(join(folder, name), new Date(mtimeMs - 10_000), new Date(mtimeMs - 10_000));
    }
  }
  expect(readdirSync(folder)).toHaveLength(4);
  expect((await files.readServer(0, startMs)).at).toEqual([startMs]);
  expect((await files.readStream({ ...place, stream: 's5' }, 0, startMs)).at).toEqual([startMs]);
  expect((await files.readStream({ ...place, stream: 's0' }, 0, startMs)).at).toEqual([]);
});
