import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordStorageRule } from '@weir/contract';
import { createLog } from '@weir/plane';
import { beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../core/clock.ts';
import { MemoryStore } from '../../../core/store/memory-store.ts';
import { SegmentLog } from '../../../segments/segment-log.ts';
import { Mp4Recording } from '../library/mp4-recording.ts';
import { RecordingFiles } from '../library/recording-files.ts';
import { isFilm, RecordingRepository, RecordingRow } from '../library/recording-repository.ts';
import { SegmentRemoval } from './segment-removal.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const tsidOf = (index: number) => `00000000-0000-4000-8000-00000000000${index + 2}`;
const count = 3;

const silent = createLog('test', 'error');
silent.level = 'silent';

let files: RecordingFiles;
let recordings: RecordingRepository;
let log: SegmentLog;

/** Three seconds of a recording that is done: its segments, their log and the file made of them. */
beforeEach(async () => {
  files = new RecordingFiles(mkdtempSync(join(tmpdir(), 'weir-removal-')));
  await files.create(uuid);
  const path = (name: string) => join(files.directory(uuid), name);
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10', '-t', String(count), '-g', '10'];
  const cut = ['-f', 'hls', '-hls_time', '1', '-hls_list_size', '0', '-hls_segment_filename', path('%d.ts')];
  execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', ...cut, path('x.m3u8')]);
  execFileSync('ffmpeg', ['-v', 'error', '-i', path('x.m3u8'), '-c', 'copy', files.file(uuid, 'index.mp4')]);
  log = new SegmentLog(files.file(uuid, 'segments.log'));
  await log.begin({ vhost: 'v', app: 'live', stream: 'show', startedAtMs: 1 });
  for (let index = 0; index < count; index++) {
    const tsid = tsidOf(index);
    const bytes = await files.keep(uuid, { id: tsid, format: 'mpegts', file: path(`${index}.ts`) });
    await log.append({
      tsid,
      format: 'mpegts',
      init: '',
      sequence: index,
      durationMs: 1000,
      bytes,
      isDiscontinuity: false,
      atMs: 1,
    });
    await rm(path(`${index}.ts`));
  }
  await rm(path('x.m3u8'));
  recordings = new RecordingRepository(new MemoryStore(), systemClock);
  const facts = { uuid, vhost: 'v', app: 'live', stream: 'show', startedAtMs: 1, updatedAtMs: 1, mp4Bytes: 1 };
  await recordings.put(RecordingRow.parse({ ...facts, state: 'done', segmentsAre: 'leaving' }));
});

interface Faults {
  keepSegments?: boolean;
  isWatched?: boolean;
  /** Throws where the process is killed. */
  live?: () => void;
}

function removal({ keepSegments = false, isWatched = false, live = () => undefined }: Faults = {}): SegmentRemoval {
  const rule = { ...RecordStorageRule.parse({}), keepSegments };
  const file = (id: string, name: string) => files.file(id, name);
  return new SegmentRemoval({
    recordings: {
      note: async (id, change) => {
        live();
        return recordings.note(id, change);
      },
    },
    files: {
      file,
      hasSegments: (id, segments) => files.hasSegments(id, segments),
      bytesOf: (id) => files.bytesOf(id),
      // Killed before the first, between them, and behind the last.
      dropSegments: async (id) => {
        live();
        await rm(files.segment(id, { tsid: tsidOf(0), format: 'mpegts' }), { force: true });
        live();
        await files.dropSegments(id);
        live();
      },
    },
    settings: {
      read: async () => ({
        all: true,
        globs: [],
        processCpDir: '',
        subtitles: false,
        segmentFormat: 'mpegts',
        qualities: ['source'],
        rule,
      }),
    },
    isWatched: () => isWatched,
    onRemoved: () => undefined,
    log: silent,
  });
}

const row = async () => RecordingRow.parse(await recordings.get(uuid));
const segmentNames = () => readdirSync(files.directory(uuid)).filter((name) => name.endsWith('.ts'));

/** Every segment can be played now. */
async function assertPlays(): Promise<void> {
  const logged = await log.read();
  if (!isFilm(await row())) return expect(await files.hasSegments(uuid, logged)).toBe(true);
  const film = await Mp4Recording.open(files.file(uuid, 'index.mp4'), logged);
  expect(film.segments.map(({ tsid }) => tsid)).toEqual(logged.map(({ tsid }) => tsid));
  for (const segment of logged) expect((await film.segment(segment))?.length).toBeGreaterThan(188);
}

it('the removal of segments is completed by the next process wherever it was killed, and the recording can be played at every moment', async () => {
  let kills = 0;
  for (let isDone = false; !isDone; kills++) {
    let left = kills;
    const live = () => {
      if (left-- === 0) throw new Error('killed');
    };
    isDone = await removal({ live })
      .work(await row())
      .then(
        () => true,
        () => false,
      );
    await assertPlays();
  }
  expect(kills).toBeGreaterThan(3);
  expect(await row()).toMatchObject({ segmentsAre: 'gone', updatedAtMs: 1 });
  expect(readdirSync(files.directory(uuid)).sort()).toEqual(['index.mp4', 'segments.log']);
  expect(removal().isDue(await row())).toBe(false);
});

it('keeps everything where segments are to be kept', async () => {
  await removal({ keepSegments: true }).work(await row());
  expect(await row()).toMatchObject({ segmentsAre: 'kept' });
  expect(segmentNames()).toHaveLength(count);
});

it('waits while a player reads the segments, but not once it has begun', async () => {
  const isDue = async (isWatched: boolean) => removal({ isWatched }).isDue(await row());
  expect([await isDue(false), await isDue(true)]).toEqual([true, false]);
  await recordings.note(uuid, { segmentsAre: 'removing' });
  expect(await isDue(true)).toBe(true);
});

it('deletes nothing beside a file that is cut off, damaged or shorter than the segments', async () => {
  const mp4 = files.file(uuid, 'index.mp4');
  const whole = readFileSync(mp4);
  truncateSync(mp4, whole.length - 2000);
  await removal().work(await row());
  expect(await row()).toMatchObject({ segmentsAre: 'kept' });
  await recordings.note(uuid, { segmentsAre: 'leaving' });
  const short = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10', '-t', '1', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', ...short, '-y', mp4]);
  await removal().work(await row());
  expect(await row()).toMatchObject({ segmentsAre: 'kept' });
  expect(segmentNames()).toHaveLength(count);
});
