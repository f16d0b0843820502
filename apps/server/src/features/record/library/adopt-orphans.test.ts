import { existsSync, mkdirSync, mkdtempSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SegmentLog } from '../../../segments/segment-log.ts';
import { intactSegments } from '../finish/make-mp4.ts';
import { adoptOrphans } from './adopt-orphans.ts';
import { RecordingFiles } from './recording-files.ts';

const uuid = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;

async function open() {
  const files = new RecordingFiles(join(mkdtempSync(join(tmpdir(), 'weir-orphans-')), 'record'));
  const recording = async (id: string, segments: number) => {
    await files.create(id);
    const log = new SegmentLog(files.file(id, 'segments.log'));
    await log.begin({ vhost: 'v', app: 'live', stream: 'show', startedAtMs: 5 });
    for (let sequence = 1; sequence <= segments; sequence++) {
      const tsid = uuid(1000 + sequence);
      const name = { tsid, format: 'mpegts', init: '' } as const;
      writeFileSync(files.segment(id, name), 'four');
      await log.append({ ...name, sequence, durationMs: 2000, bytes: 4, isDiscontinuity: false, atMs: 10 + sequence });
    }
    return log;
  };
  return { files, recording };
}

it('restores directories whose rows are lost, and removes empty ones', async () => {
  const { files, recording } = await open();
  await recording(uuid(1), 2);
  await recording(uuid(2), 1);
  writeFileSync(files.file(uuid(2), 'index.mp4'), 'film');
  await recording(uuid(3), 0);
  await recording(uuid(4), 1);
  mkdirSync(join(files.home, 'of the owner'));
  const rows = await adoptOrphans(files, new Set([uuid(4)]));
  expect(rows.sort((a, b) => (a.uuid < b.uuid ? -1 : 1))).toMatchObject([
    { uuid: uuid(1), state: 'finishing', segments: 2, durationMs: 4000, bytes: 8, stream: 'show', endedAtMs: 12 },
    { uuid: uuid(2), state: 'done', mp4Bytes: 4, endTold: true },
  ]);
  expect(existsSync(join(files.home, uuid(3)))).toBe(false);
  expect(readdirSync(files.home)).toContain('of the owner');
});

it('F13: leaves out a segment that lost its end in a power failure, and marks the gap', async () => {
  const { files, recording } = await open();
  const log = await recording(uuid(1), 4);
  truncateSync(files.segment(uuid(1), { tsid: uuid(1002), format: 'mpegts' }), 3);
  const intact = await intactSegments(files, uuid(1), await log.read());
  expect(intact.map(({ sequence, isDiscontinuity }) => [sequence, isDiscontinuity])).toEqual([
    [1, false],
    [3, true],
    [4, false],
  ]);
});

it('S12: creates no name that leads out of its directory', async () => {
  const { files } = await open();
  for (const id of ['..', '../x', '', 'x', `${uuid(1)}/..`, uuid(1).toUpperCase().replace('0', 'A')])
    expect(() => files.directory(id)).toThrow('not the id');
  for (const name of ['../x', 'x', '/etc/passwd', 'segments.log/../..', '.', '..', 'index.mp4\0', 'run-1.ts/x'])
    expect(() => files.file(uuid(1), name)).toThrow('not a file');
});
