import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { heapMb } from '../../../core/heap.fixture.ts';
import { PipelineRepository } from './pipeline-repository.ts';
import { TestPipelines } from './transcript-pipeline.fixture.ts';

/** A day is 43,200 segments of two seconds: what would grow shows in the first thousands. */
const segments = 1200;

it('F10: leaves no more behind after 1,200 segments than after fifty, in memory, files and store', async () => {
  const lanes = await new TestPipelines().start();
  let settled = 0;
  const run = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      // For some time in every thousand nobody understands anything.
      if (n % 2 === 0 && n % 1000 < 900) await lanes.hear(n * 2000 + 100, n * 2000 + 3000, `text ${n}`);
      const segment = lanes.segment();
      await lanes.lane.add(segment);
      rmSync(segment.file);
      lanes.clock.pass(2000);
      if (n % 5 !== 0) continue;
      await lanes.rest();
      for (const { row, texts } of lanes.settled.splice(0)) {
        const isHeard = (at: number) => at % 2 === 0 && at % 1000 < 900;
        const said = [row.sequence - 1, row.sequence].filter((at) => at >= 0 && isHeard(at));
        expect(texts).toEqual(said.map((at) => `text ${at}`));
        settled++;
      }
    }
    await lanes.rest();
  };
  await run(0, 200);
  const before = heapMb();
  await run(200, segments);
  const grown = heapMb() - before;
  settled += lanes.settled.length;
  expect(settled).toBe(segments - 2);
  expect([lanes.counts, lanes.files.length, lanes.lane.lostSegments]).toEqual(['0 0 2 9', 20, 0]);
  expect((await new PipelineRepository(lanes.store).cues()).length).toBeLessThan(10);
  expect(grown).toBeLessThan(3);
});
