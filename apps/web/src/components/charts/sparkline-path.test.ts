import { expect, it } from 'vitest';
import { buildSparklinePath } from './sparkline-path.ts';

it('draws from left to right with larger values higher', () => {
  const { line, area } = buildSparklinePath([0, 50, 100]);
  expect(line).toBe('M0 100L50 53.7L100 7.4');
  expect(area).toBe('M0 100L0 100L50 53.7L100 7.4L100 100L0 100Z');
});

it('leaves gaps for unknown values and draws nothing without values', () => {
  expect(buildSparklinePath([1, null, 1, 1]).line.match(/M/g)).toHaveLength(2);
  expect(buildSparklinePath([1, null, 1, 1]).area.match(/Z/g)).toHaveLength(2);
  expect(buildSparklinePath([null, null])).toEqual({ line: '', area: '' });
  expect(buildSparklinePath([])).toEqual({ line: '', area: '' });
});

it('keeps small values low when a larger scale is given', () => {
  expect(buildSparklinePath([54, 54], 500).line).toBe('M0 90L100 90');
  expect(buildSparklinePath([0, 1000], 500).line).toBe('M0 100L100 7.4');
});

it('draws zeros at the bottom', () => {
  expect(buildSparklinePath([0, 0]).line).toBe('M0 100L100 100');
});
