import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryName } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import { expect, it, vi } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { heapMb } from '../../core/heap.fixture.ts';
import { SqliteStore } from '../../core/store/sqlite-store.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';
import { SegmentFeed } from '../../segments/segment-feed.ts';
import { SegmentLog } from '../../segments/segment-log.ts';
import { SegmentSpool } from '../../segments/segment-spool.ts';
import { RecordingFiles } from './library/recording-files.ts';
import { RecordingRepository } from './library/recording-repository.ts';
import { RecordSettingsRepository } from './record-settings.ts';
import { Recorder } from './recorder/recorder.ts';

/** Segments of each of eight streams. Ten hours of them by hand: RECORD_SOAK=18000. */
const rounds = Number(process.env.RECORD_SOAK ?? 240);
const streams = 8;

const openFiles = () => readdirSync('/proc/self/fd').length;

it('F10: records eight streams for long with constant memory and files, each segment in its place', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'weir-soak-'));
  const spooled = join(directory, 'segments');
  mkdirSync(spooled);
  const log = createLog('test', 'error');
  log.level = 'silent';
  const store = new SqliteStore(join(directory, 'weir.db'), log);
  const settings = new RecordSettingsRepository(store);
  await settings.change({ all: true });
  const recordings = new RecordingRepository(store, systemClock);
  const files = new RecordingFiles(join(directory, 'record'));
  const recorder = new Recorder({
    settings,
    recordings,
    files,
    log,
    clock: systemClock,
    room: { mayRecord: () => true, refused: () => undefined, took: () => undefined },
    observer: { began: () => undefined, ended: () => undefined },
    words: { recorded: () => undefined, arrange: () => undefined },
  });
  await recorder.resume([]);
  const feed = new SegmentFeed({ spool: new SegmentSpool(spooled, log), mediaServer: new FakeMediaServer(), log });
  feed.add(recorder);
  const tell = (stream: number, sequence: number) => {
    const id = randomUUID();
    const file = join(spooled, entryName({ keptAtMs: 1_700_000_000_000, count: sequence, id }, 'mpegts'));
    writeFileSync(file, `segment ${sequence} of ${stream}`);
    const place = { vhost: '__defaultVhost__', app: 'live', stream: `s${stream}`, clientId: `c${stream}` };
    feed.tell({ id, format: 'mpegts', ...place, file, sequence, isDiscontinuity: false, durationMs: 2000 });
  };
  const run = async (from: number, to: number) => {
    for (let sequence = from; sequence < to; sequence++) {
      for (let stream = 0; stream < streams; stream++) tell(stream, sequence);
      await feed.idle();
      if (sequence % 5 === 0) await recorder.syncAll();
      if (sequence % 10 === 0) await recorder.saveAll();
    }
  };
  // The first third fills what is remembered of the past; from then on nothing grows.
  const third = Math.floor(rounds / 3);
  await run(0, third);
  const before = { heap: heapMb(), files: openFiles() };
  await run(third, rounds);
  const after = { heap: heapMb(), files: openFiles() };
  expect(after.files).toBeLessThanOrEqual(before.files + 2);
  // Ids of segments are remembered, 5000 at most: less than a megabyte.
  expect(after.heap - before.heap).toBeLessThan(4);

  await recorder.saveAll();
  const rows = await recordings.list();
  expect(rows).toHaveLength(streams);
  for (const { uuid, segments, lost, discontinuities } of rows) {
    expect([segments, lost, discontinuities]).toEqual([rounds, 0, 0]);
    const logged = await new SegmentLog(files.file(uuid, 'segments.log')).read();
    expect(logged.map(({ sequence }) => sequence)).toEqual(Array.from({ length: rounds }, (_, n) => n));
    expect(readdirSync(files.directory(uuid)).filter((name) => name.endsWith('.ts'))).toHaveLength(rounds);
  }
  await vi.waitFor(() => expect(readdirSync(spooled)).toEqual([]));
  await store.close();
});
