import { expect, it } from 'vitest';
import { findGapEnd } from './live-edge-controller.ts';

const ranges = (...pairs: readonly (readonly [number, number])[]): TimeRanges => ({
  length: pairs.length,
  start: (index) => pairs[index]?.[0] ?? Number.NaN,
  end: (index) => pairs[index]?.[1] ?? Number.NaN,
});

it.each([
  ['at the end of a range', ranges([0, 5], [5.02, 9]), 4.95, 5.03],
  ['before the first', ranges([0.04, 5]), 0, 0.05],
  ['in a hole', ranges([0, 5], [7, 9]), 6, 7.01],
  ['in the midst of a range', ranges([0, 5], [7, 9]), 3, undefined],
  ['at the end of all there is', ranges([0, 5]), 5, undefined],
  ['where there is nothing', ranges(), 0, undefined],
])('finds the end of a gap %s', (_where, buffered, seconds, target) => {
  expect(findGapEnd(buffered, seconds)).toEqual(target === undefined ? undefined : expect.closeTo(target, 5));
});
