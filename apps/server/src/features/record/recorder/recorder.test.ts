import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinishedSegment } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../core/clock.ts';
import { MemoryStore } from '../../../core/store/memory-store.ts';
import { SegmentLog } from '../../../segments/segment-log.ts';
import { RecordingFiles } from '../library/recording-files.ts';
import { RecordingRepository } from '../library/recording-repository.ts';
import { RecordSettingsRepository } from '../record-settings.ts';
import { Recorder } from './recorder.ts';

/** A recorder on a store in memory and a clock of ours; `again` is the same after a kill -9. */
async function open({ all = true, globs = [] as string[] } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'weir-recorder-'));
  const store = new MemoryStore();
  const log = createLog('test', 'error');
  log.level = 'silent';
  const settings = new RecordSettingsRepository(store);
  await settings.change({ all, globs });
  const recordings = new RecordingRepository(store, systemClock);
  const files = new RecordingFiles(join(directory, 'record'));
  /** `setMs`: how far somebody has set the date away from it. */
  const clock = { nowMs: 1_700_000_000_000, setMs: 0 };
  const told: string[] = [];
  const room = { isThere: true };
  const start = async () => {
    const recorder = new Recorder({
      settings,
      recordings,
      files,
      log,
      room: { mayRecord: () => room.isThere, refused: () => undefined, took: () => undefined },
      observer: { began: () => void told.push('began'), ended: () => undefined },
      words: { recorded: () => undefined, arrange: () => undefined },
      clock: { dateMs: () => clock.nowMs + clock.setMs, elapsedMs: () => clock.nowMs },
    });
    await recorder.resume(await recordings.list());
    return recorder;
  };
  let count = 0;
  const segment = (sequence: number, change: Partial<FinishedSegment> = {}): FinishedSegment => {
    count++;
    const file = join(directory, `${count}.ts`);
    writeFileSync(file, `segment ${count}`);
    return {
      id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
      format: 'mpegts',
      vhost: '__defaultVhost__',
      app: 'live',
      stream: 'show',
      clientId: 'a',
      file,
      durationMs: 2000,
      sequence,
      isDiscontinuity: false,
      ...change,
    };
  };
  const logOf = (uuid: string) => new SegmentLog(files.file(uuid, 'segments.log')).read();
  return { start, segment, recordings, files, settings, clock, told, room, logOf };
}

describe('Recorder', () => {
  it('puts the segments of each stream into one recording', async () => {
    const { start, segment, recordings, clock, told, logOf } = await open();
    const recorder = await start();
    for (const sequence of [5, 6, 7]) await recorder.take(segment(sequence));
    await recorder.take(segment(1, { stream: 'other' }));
    await recorder.saveAll();
    const rows = await recordings.list();
    // Begun when their first segment did.
    expect(rows.map(({ startedAtMs }) => clock.nowMs - startedAtMs)).toEqual([2000, 2000]);
    expect(rows.map(({ stream, segments, durationMs }) => [stream, segments, durationMs]).sort()).toEqual([
      ['other', 1, 2000],
      ['show', 3, 6000],
    ]);
    expect(told).toEqual(['began', 'began']);
    const show = rows.find(({ stream }) => stream === 'show');
    expect((await logOf(show?.uuid ?? '')).map(({ isDiscontinuity }) => isDiscontinuity)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('records chosen qualities apart from each other, the source also by the name of its size, through a restart', async () => {
    const { start, segment, recordings, settings, logOf } = await open();
    const source = { ownQuality: '720p' };
    const low = { quality: '240p' };
    await settings.change({ qualities: ['240p'], segmentFormat: 'fmp4' });
    let recorder = await start();
    expect(await recorder.qualities()).toEqual(['240p']);
    for (const sequence of [1, 2]) {
      await recorder.take(segment(sequence, { ...source, format: 'fmp4', init: undefined }));
      await recorder.take(segment(sequence, low));
      await recorder.take(segment(sequence, { quality: '480p' }));
    }
    await recorder.saveAll();
    expect(await recordings.list()).toMatchObject([{ stream: 'show', quality: '240p', segments: 2, lost: 0 }]);
    await settings.change({ qualities: ['720p', '240p'], segmentFormat: 'mpegts' });
    recorder = await start();
    // A gap of one quality is lost in that quality only.
    for (const sequence of [3, 5]) await recorder.take(segment(sequence, low));
    for (const sequence of [3, 4, 5]) await recorder.take(segment(sequence, source));
    await recorder.saveAll();
    const rows = (await recordings.list()).sort((a, b) => a.quality.localeCompare(b.quality));
    expect(rows).toMatchObject([
      { quality: '', segments: 3, lost: 0 },
      { quality: '240p', segments: 4, lost: 1 },
    ]);
    const seams = (await logOf(rows[1]?.uuid ?? '')).map(({ isDiscontinuity }) => isDiscontinuity);
    expect(seams).toEqual([false, false, false, true]);
    await settings.change({ qualities: ['source'] });
    await recorder.endUnchosen();
    await recorder.saveAll();
    const states = (await recordings.list()).map(({ quality, state }) => [quality, state]).sort();
    expect(states).toEqual([
      ['', 'recording'],
      ['240p', 'finishing'],
    ]);
  });

  it('keeps the format a recording began with, stores an init section once, and begins the next one in the new format', async () => {
    const { start, segment, recordings, settings, files, logOf } = await open();
    const recorder = await start();
    const inFmp4 = (sequence: number): FinishedSegment => {
      const one = segment(sequence);
      return { ...one, format: 'fmp4', init: { id: '0123456789abcdef'.repeat(2), file: one.file } };
    };
    for (const sequence of [1, 2]) await recorder.take(segment(sequence));
    await settings.change({ segmentFormat: 'fmp4' });
    expect(await recorder.formats.wanted()).toEqual(['fmp4', 'mpegts']);
    await recorder.take(inFmp4(7));
    await recorder.take(segment(3));
    const [first] = await recordings.list();
    await recorder.end(first?.uuid ?? '');
    await recorder.take(segment(4));
    for (const sequence of [8, 9]) await recorder.take(inFmp4(sequence));
    expect(await recorder.formats.wanted()).toEqual(['fmp4']);
    await recorder.saveAll();
    const rows = (await recordings.list()).sort((a, b) => b.segments - a.segments);
    expect(rows.map(({ segments, lost }) => [segments, lost])).toEqual([
      [3, 0],
      [2, 0],
    ]);
    const second = rows[1]?.uuid ?? '';
    expect((await logOf(second)).map(({ format, sequence }) => [format, sequence])).toEqual([
      ['fmp4', 8],
      ['fmp4', 9],
    ]);
    const names = readdirSync(files.directory(second)).sort();
    expect(names.filter((name) => name.startsWith('init-'))).toEqual([`init-${'0123456789abcdef'.repeat(2)}.mp4`]);
    expect(names.filter((name) => name.endsWith('.m4s'))).toHaveLength(2);
    const again = await start();
    await again.take(inFmp4(10));
    expect(await logOf(second)).toHaveLength(3);
    await files.remove(second);
    expect(existsSync(files.directory(second))).toBe(false);
  });

  it('ends with the last segment of a publisher that has just left, without beginning another recording', async () => {
    const { start, segment, recordings } = await open();
    const recorder = await start();
    await recorder.take(segment(1));
    const [row] = await recordings.list();
    recorder.publisherLeft(segment(2));
    const ended = recorder.end(row?.uuid ?? '');
    await recorder.take(segment(2));
    await ended;
    expect(await recordings.list()).toMatchObject([{ uuid: row?.uuid, segments: 2, state: 'finishing' }]);
  });

  it('marks a discontinuity after a gap, where the engine marks one, and at another publisher of other servers', async () => {
    const { start, segment, recordings, logOf } = await open();
    const recorder = await start();
    await recorder.take(segment(1, { isDiscontinuity: true }));
    await recorder.take(segment(3));
    await recorder.take(segment(4, { isDiscontinuity: true }));
    await recorder.take(segment(5, { clientId: 'b' }));
    await recorder.take(segment(6, { clientId: 'c', isDiscontinuity: undefined }));
    await recorder.take(segment(7, { clientId: 'c', isDiscontinuity: undefined }));
    const [row] = await recordings.list();
    const seams = (await logOf(row?.uuid ?? '')).map(({ isDiscontinuity }) => isDiscontinuity);
    expect(seams).toEqual([false, true, true, false, true, false]);
  });

  it('records nothing while it is off, and only streams that match the patterns', async () => {
    const { start, segment, recordings, settings } = await open({ all: false, globs: ['/live/s*', '/show/**'] });
    const recorder = await start();
    await recorder.take(segment(1));
    expect(await recordings.list()).toEqual([]);
    await settings.change({ all: true });
    await recorder.take(segment(2));
    await recorder.take(segment(1, { stream: 'other' }));
    expect((await recordings.list()).map(({ stream }) => stream)).toEqual(['show']);
    await settings.change({ globs: [] });
    await recorder.take(segment(2, { stream: 'other' }));
    expect(await recordings.list()).toHaveLength(2);
  });

  it('ends after 300 s of silence, or 30 s once recording is off', async () => {
    const { start, segment, recordings, settings, clock } = await open();
    const recorder = await start();
    await recorder.take(segment(1));
    const stateAfter = async (ms: number) => {
      clock.nowMs += ms;
      await recorder.endSilent();
      return (await recordings.list()).at(-1)?.state;
    };
    expect(await stateAfter(299_000)).toBe('recording');
    await recorder.take(segment(2));
    expect(await stateAfter(299_000)).toBe('recording');
    expect(await stateAfter(1000)).toBe('finishing');
    expect(await recordings.list()).toMatchObject([{ segments: 2, endedAtMs: clock.nowMs }]);

    await recorder.take(segment(3));
    await settings.change({ all: false });
    clock.nowMs += 29_000;
    await recorder.endSilent();
    expect((await recordings.list()).filter(({ state }) => state === 'recording')).toHaveLength(1);
    clock.nowMs += 1000;
    await recorder.endSilent();
    expect((await recordings.list()).filter(({ state }) => state === 'recording')).toEqual([]);
  });

  it('begins another recording with the next segment when one is ended by hand', async () => {
    const { start, segment, recordings } = await open();
    const recorder = await start();
    await recorder.take(segment(1));
    const [first] = await recordings.list();
    await recorder.end(first?.uuid ?? '');
    await expect(recorder.end(first?.uuid ?? '')).rejects.toMatchObject({ kind: 'not_found' });
    await recorder.take(segment(2));
    const rows = await recordings.list();
    expect(rows.map(({ state }) => state).sort()).toEqual(['finishing', 'recording']);
  });

  it('continues the same recording after a kill, without repeated segments or events and without a discontinuity', async () => {
    const { start, segment, recordings, told, logOf } = await open();
    const before = await start();
    const both = [segment(1), segment(2)];
    for (const each of both) await before.take(each);
    // No save happened since the start; the log has the segments.
    const after = await start();
    for (const each of both) await after.take(each);
    await after.take(segment(3));
    await after.saveAll();
    const rows = await recordings.list();
    expect(rows).toMatchObject([{ segments: 3, durationMs: 6000, discontinuities: 0 }]);
    expect((await logOf(rows[0]?.uuid ?? '')).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(told).toEqual(['began']);
  });

  it('counts silence across a restart', async () => {
    const { start, segment, recordings, clock } = await open();
    await (await start()).take(segment(1));
    clock.nowMs += 301_000;
    const after = await start();
    await after.endSilent();
    expect(await recordings.list()).toMatchObject([{ state: 'finishing', segments: 1 }]);
  });

  it('records nothing while the disk is full, and reports what it missed', async () => {
    const { start, segment, recordings, room, files } = await open();
    const recorder = await start();
    await recorder.take(segment(1));
    room.isThere = false;
    await recorder.take(segment(2));
    // While others wait before it.
    recorder.miss(segment(4), new Error('too many wait'));
    room.isThere = true;
    await recorder.take(segment(3));
    await recorder.take(segment(5));
    await recorder.saveAll();
    const [row] = await recordings.list();
    expect(row).toMatchObject({ segments: 3, lost: 2, discontinuities: 2 });
    expect(readdirSync(files.directory(row?.uuid ?? '')).filter((name) => name.endsWith('.ts'))).toHaveLength(3);
  });

  it('F12: continues in order and in one recording when the date is set forward and back', async () => {
    const { start, segment, recordings, clock, logOf } = await open();
    const recorder = await start();
    const yearMs = 365 * 24 * 3600_000;
    for (const [index, setMs] of [0, yearMs, -yearMs, 0].entries()) {
      clock.setMs = setMs;
      clock.nowMs += 2000;
      await recorder.take(segment(index + 1));
      await recorder.endSilent();
    }
    await recorder.saveAll();
    const rows = await recordings.list();
    expect(rows).toMatchObject([{ state: 'recording', segments: 4, durationMs: 8000, discontinuities: 0, lost: 0 }]);
    expect((await logOf(rows[0]?.uuid ?? '')).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    // Silence is measured, not read off the date.
    clock.setMs = yearMs;
    await recorder.endSilent();
    expect(await recordings.list()).toMatchObject([{ state: 'recording' }]);
    clock.setMs = -yearMs;
    clock.nowMs += 301_000;
    await recorder.endSilent();
    expect(await recordings.list()).toMatchObject([{ state: 'finishing' }]);
  });

  it('F06: counts segments lost to a full disk, also after the recording was closed, and those that never came', async () => {
    const { start, segment, recordings, room, settings, clock } = await open();
    const recorder = await start();
    for (const sequence of [1, 2]) await recorder.take(segment(sequence));
    // The disk is full: the recording is closed, its publisher goes on.
    room.isThere = false;
    await recorder.endAll();
    for (const sequence of [3, 4, 5]) await recorder.take(segment(sequence));
    const lostOf = async () => (await recordings.list()).map(({ lost }) => lost);
    expect(await lostOf()).toEqual([3]);
    // 6 and 7 could not even be written by the engine.
    room.isThere = true;
    clock.nowMs += 1000;
    await recorder.take(segment(8));
    await recorder.saveAll();
    const rows = (await recordings.list()).sort((a, b) => a.startedAtMs - b.startedAtMs);
    expect(rows.map(({ segments, lost }) => [segments, lost])).toEqual([
      [2, 5],
      [1, 0],
    ]);
    // Unwanted segments do not count as lost, nor those after a manual end, nor a jump to another publisher's numbers.
    await settings.change({ all: false });
    await recorder.take(segment(9));
    await settings.change({ all: true });
    await recorder.take(segment(10));
    // While it is off nobody tells of any.
    recorder.switched();
    await recorder.take(segment(20));
    await recorder.take(segment(40, { clientId: 'b' }));
    await recorder.end(rows[1]?.uuid ?? '');
    await recorder.take(segment(50, { clientId: 'b' }));
    await recorder.saveAll();
    expect((await lostOf()).sort()).toEqual([0, 0, 5]);
  });

  it('F06: counts a segment that the disk refused, once', async () => {
    const { start, segment, recordings } = await open();
    const recorder = await start();
    await recorder.take(segment(1));
    const gone = segment(2, { file: '/nowhere/at/all.ts' });
    await recorder.take(gone).catch((error: unknown) => recorder.miss(gone, error));
    await recorder.take(segment(3));
    await recorder.saveAll();
    expect(await recordings.list()).toMatchObject([{ segments: 2, lost: 1 }]);
  });
});
