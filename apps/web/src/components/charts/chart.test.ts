import { expect, it } from 'vitest';
import { findIsolatedPoints, spreadLabels, summarizeLine } from './chart.ts';

it('summarizes the known values of a line', () => {
  expect(summarizeLine({ values: [null, 2, 4, null, 3] })).toEqual({ least: 2, mean: 3, most: 4, latest: 3 });
  expect(summarizeLine({ values: [null, null] })).toBeUndefined();
});

it('finds isolated points', () => {
  expect(findIsolatedPoints([1, null, 2, 3, null, null, 4])).toEqual([0, 6]);
});

it('moves overlapping labels apart and keeps them inside the chart', () => {
  expect(spreadLabels([10, 50], 14, 100)).toEqual([10, 50]);
  expect(spreadLabels([50, 50, 50], 14, 100)).toEqual([50, 64, 78]);
  expect(spreadLabels([95, 96], 14, 100)).toEqual([86, 100]);
  expect(spreadLabels([20, 10], 14, 100)).toEqual([24, 10]);
});
