import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SegmentFiles } from '../pipeline/segment-files.ts';
import { segmentRow } from '../pipeline/segment-row.fixture.ts';
import { OverlayMaker } from './overlay-maker.ts';

const row = segmentRow({ queue: 'fix', cues: [{ startMs: 0, endMs: 900, text: 'one' }] });

async function tries(limitMs: number) {
  const directory = join(mkdtempSync(join(tmpdir(), 'weir-overlay-')), 'transcript');
  mkdirSync(directory);
  const files = new SegmentFiles(directory);
  writeFileSync(files.org(row), 'no video');
  const log = createLog('test', 'error');
  log.level = 'silent';
  const warn = vi.spyOn(log, 'warn');
  onTestFinished(() => warn.mockRestore());
  const look = () => ({ style: 'Alignment=2', codec: ['-c:v', 'libx264'] });
  const maker = new OverlayMaker({ files, look, log, limitMs: () => limitMs });
  const made = await maker.make(row, { keepUp: false, signal: new AbortController().signal });
  return { made, count: warn.mock.calls.length };
}

it('passes a segment on after three tries, and after one where the machine is too slow, because others wait', async () => {
  const passed = { bytes: 8, isBurnt: false, hasPassed: true };
  expect(await tries(60_000)).toEqual({ made: passed, count: 3 });
  expect(await tries(1)).toEqual({ made: passed, count: 1 });
});
