import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { FakeClock } from '../../../core/clock.fixture.ts';
import { MemoryStore } from '../../../core/store/memory-store.ts';
import { RecordingFiles } from '../library/recording-files.ts';
import { RecordingRepository } from '../library/recording-repository.ts';
import { RecordSettingsRepository } from '../record-settings.ts';
import { Recorder } from './recorder.ts';

// Written before sessions were a mechanism of their own, and left by a kill -9: the store has the first segment, the log three and a piece of the fourth.
const uuid = 'a7dc6af3-95bb-4e62-99ed-739daac517f4';
const row =
  '{"uuid":"a7dc6af3-95bb-4e62-99ed-739daac517f4","vhost":"__defaultVhost__","app":"live","stream":"show","state":"recording","startedAtMs":1700000002000,"endedAtMs":0,"updatedAtMs":1700000002000,"segments":1,"durationMs":2001,"bytes":9,"discontinuities":0,"lost":0,"mp4Bytes":0,"hasThumbnail":false,"failure":"","error":"","tries":0,"nextTryAtMs":0,"copy":"","segmentsAre":"kept","diskBytes":0,"beginTold":true,"endTold":false}';
const settings = '{"all":true,"globs":[],"processCpDir":"","rule":{"floorBytes":0,"quotaBytes":0,"atLimit":"stop"}}';
const lines = `# {"vhost":"__defaultVhost__","app":"live","stream":"show","startedAtMs":1700000002000}
00000000-0000-4000-8000-000000000001 11 2001 9 0 1700000002000
00000000-0000-4000-8000-000000000002 12 2002 9 0 1700000004000
00000000-0000-4000-8000-000000000003 15 2003 9 1 1700000006000
`;
const torn = '00000000-0000-4000-8000-000000000004 16 20';

it('a recording that an older version began continues in its directory, and ends as one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'weir-begun-before-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const files = new RecordingFiles(join(directory, 'record'));
  mkdirSync(files.directory(uuid), { recursive: true });
  writeFileSync(files.file(uuid, 'segments.log'), lines + torn);
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  for (const number of [1, 2, 3])
    writeFileSync(files.segment(uuid, { tsid: idOf(number), format: 'mpegts' }), `segment ${number}`);
  const store = new MemoryStore();
  await store.collection('record', z.any()).put('settings', JSON.parse(settings));
  await store.collection('recordings', z.any()).put(uuid, JSON.parse(row));

  const clock = new FakeClock(1_700_000_010_000);
  const told: string[] = [];
  const recordings = new RecordingRepository(store, clock);
  const recorder = new Recorder({
    settings: new RecordSettingsRepository(store),
    recordings,
    files,
    log: createLog('test', 'error'),
    room: { mayRecord: () => true, refused: () => undefined, took: () => undefined },
    observer: { began: () => void told.push('began'), ended: () => void told.push('ended') },
    words: { recorded: () => undefined, arrange: () => undefined },
    clock,
  });
  await recorder.resume(await recordings.list());
  for (const [number, sequence] of [
    [3, 15],
    [4, 16],
    [5, 17],
  ] as const) {
    const file = join(directory, `${number}.ts`);
    writeFileSync(file, `segment ${number}`);
    const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show', clientId: 'b' };
    const facts = { format: 'mpegts', durationMs: 2000, isDiscontinuity: false } as const;
    await recorder.take({ ...place, ...facts, id: idOf(number), file, sequence });
  }
  expect(recorder.running(uuid)).toMatchObject({ segments: 5, durationMs: 10_006, bytes: 45, discontinuities: 1 });
  expect(readFileSync(files.file(uuid, 'segments.log'), 'utf8')).toBe(
    `${lines}${idOf(4)} 16 2000 9 0 1700000010000\n${idOf(5)} 17 2000 9 0 1700000010000\n`,
  );
  clock.pass(300_000);
  await recorder.endSilent();
  expect(await recordings.list()).toMatchObject([{ uuid, state: 'finishing', segments: 5, lost: 0 }]);
  // The earlier version reported the start.
  expect(told).toEqual(['ended']);
});
