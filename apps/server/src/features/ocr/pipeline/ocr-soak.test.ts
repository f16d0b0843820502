import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AiError } from '../../../ai/ai.ts';
import { heapMb } from '../../../core/heap.fixture.ts';
import { TestPipeline } from './ocr-pipeline.fixture.ts';

/** A day is 43,200 segments of two seconds: what would grow shows in the first thousands. */
const segments = 1200;

it('F10: makes 1,200 decisions for 1,200 segments, and leaves no more behind than fifty', async () => {
  const ocr = await new TestPipeline().start();
  let [asked, told, isAway] = [0, 0, false];
  ocr.shows = (sequence) => Math.floor(sequence / 2);
  ocr.see = async () => {
    if (isAway) throw new AiError('unreachable', 'nobody is there');
    if (++asked % 7 === 0) throw new AiError('bad-answer', 'no');
    return `text ${asked}`;
  };
  const run = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      // A minute of every half an hour nobody answers.
      isAway = n % 1000 >= 900 && n % 1000 < 930;
      const segment = ocr.segment();
      await ocr.line.add(segment);
      rmSync(segment.file);
      ocr.clock.pass(2000);
      if (n % 3 !== 0) continue;
      await ocr.settle();
      told += ocr.told.length;
      for (const list of [ocr.asked, ocr.told, ocr.kept]) list.length = 0;
    }
    for (let n = 0; n < 5; n++) {
      ocr.clock.pass(40_000);
      await ocr.rest();
    }
    told += ocr.told.length;
    for (const list of [ocr.asked, ocr.told, ocr.kept]) list.length = 0;
  };
  await run(0, 200);
  const before = heapMb();
  await run(200, segments);
  const grown = heapMb() - before;
  const { taken, called, failed, skipped } = await ocr.line.numbers();
  expect([taken, called + failed + skipped.unchanged + skipped.dropped]).toEqual([segments, segments]);
  expect([told, failed > 5, skipped.unchanged > segments / 3]).toEqual([called, true, true]);
  expect([ocr.counts, ocr.files.length]).toEqual(['0 0 0 9', 18]);
  expect(grown).toBeLessThan(3);
});
