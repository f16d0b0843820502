import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { segmentIds } from './segment-row.ts';
import { TestPipelines } from './transcript-pipeline.fixture.ts';

type Step =
  | {
      readonly do: 'bring' | 'hear' | 'clear' | 'edit' | 'kill' | 'stop' | 'start' | 'offerAgain' | 'return';
      readonly n: number;
    }
  | { readonly do: 'pass'; readonly n: number };

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    'bring',
    'bring',
    'bring',
    'hear',
    'clear',
    'edit',
    'kill',
    'stop',
    'start',
    'offerAgain',
    'return',
    'pass',
  ),
  n: fc.integer({ min: 0, max: 20 }),
});

/** Files that the rows of a lane account for. */
function expected(lanes: TestPipelines): string[] {
  return lanes.lane.rows
    .flatMap((row) => [
      `${segmentIds(row).org}.ts`,
      ...(row.queue === 'overlay' ? [`${segmentIds(row).overlay}.ts`] : []),
    ])
    .sort();
}

it('keeps exactly the files of its segments, in order, after any failure', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      let lanes = await new TestPipelines().start();
      let clientId = 'c1';
      let last = lanes.segment();
      await lanes.lane.add(last);
      for (const { do: what, n } of steps) {
        const ids = lanes.lane.queue('fix').map((row) => segmentIds(row).audio);
        const tsid = ids[n % Math.max(1, ids.length)] ?? '';
        const at = (lanes.lane.rows.at(-1)?.sequence ?? 0) * 2000;
        if (what === 'bring') {
          last = lanes.segment({ clientId });
          await lanes.lane.add(last);
          lanes.clock.pass(2000);
        }
        if (what === 'hear') await lanes.hear(at + n * 50, at + 1500 + n * 100, `text ${n}`, { epoch: clientId });
        // The row may leave the queue at the same moment.
        if (what === 'clear') await lanes.lane.clear(tsid).catch(() => undefined);
        if (what === 'edit') await lanes.lane.edit(tsid, undefined, 'by hand').catch(() => undefined);
        if (what === 'offerAgain') await lanes.lane.add(last);
        if (what === 'return') clientId = `c${n}`;
        if (what === 'stop') await lanes.lane.stop();
        if (what === 'start') lanes.lane.start();
        if (what === 'pass') lanes.clock.pass(n * 1000);
        if (what === 'kill') {
          await lanes.lane.stop();
          lanes = await lanes.again();
        }
        if (n % 3 === 0) await lanes.rest();
      }
      lanes.lane.start();
      await lanes.rest();
      expect(lanes.files).toEqual(expected(lanes));
      const numbers = lanes.lane.queue('overlay').map(({ number }) => number ?? -1);
      expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
      await lanes.lane.empty();
      expect(lanes.files).toEqual([]);
      rmSync(lanes.directory, { recursive: true });
    }),
    { numRuns: 25 },
  );
});
