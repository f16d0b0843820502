import { sparkline } from '@weir/contract';
import { expect, it } from 'vitest';
import { sparkLine } from './spark-line.ts';

const { points, stepMs } = sparkline;
const nowMs = 1_000_000 * stepMs + 3000;

it('shows the mean of each step, without unfinished and expired ones', () => {
  const at = Array.from({ length: 12 }, (_, second) => nowMs - 3000 - (12 - second) * 1000);
  const line = sparkLine([nowMs - 10 * points * stepMs, ...at, nowMs - 1000], [9, ...at.map((_, n) => n), 99], nowMs);
  expect(line).toHaveLength(points);
  expect(line.slice(-3)).toEqual([0.5, 4, 9]);
  expect(line.slice(0, -3).every((value) => value === null)).toBe(true);
});

it('leaves out unknown values', () => {
  expect(sparkLine([nowMs - 8000, nowMs - 7000], [null, 4], nowMs).at(-1)).toBe(4);
  expect(sparkLine([], [], nowMs)).toEqual(Array(points).fill(null));
});
