import { expect, it } from 'vitest';
import { alignToGrid, createTimeGrid, gridSeconds } from './time-grid.ts';

it('ends with the newest sample and covers the requested span', () => {
  const seconds = gridSeconds(createTimeGrid('5m', 1_000_400));
  expect([seconds.length, seconds[0], seconds.at(-1)]).toEqual([300, 701, 1000]);
  const day = gridSeconds(createTimeGrid('24h', 86_400_000 * 10));
  expect([day.length, day.at(-1), (day[1] ?? 0) - (day[0] ?? 0)]).toEqual([1440, 864_000, 60]);
});

it('aligns values to their time and leaves unknown ones null', () => {
  const grid = createTimeGrid('1h', 3_600_000);
  const placed = alignToGrid(grid, [60_000, 120_000, 3_540_000, 3_600_000], [1, null, 3, 4]);
  expect([placed[0], placed[1], placed.at(-2), placed.at(-1)]).toEqual([1, null, 3, 4]);
  expect(placed.filter((value) => value !== null)).toHaveLength(3);
  expect(alignToGrid(grid, [0, 7_200_000], [1, 2]).every((value) => value === null)).toBe(true);
  expect(alignToGrid(grid, [60_000], undefined)[0]).toBeNull();
});

it('fills a single missing second but not two', () => {
  const grid = createTimeGrid('5m', 300_000);
  const values = alignToGrid(grid, [295_000, 297_000, 300_000], [5, 7, 9]).slice(-6);
  expect(values).toEqual([5, 5, 7, null, null, 9]);
});
