import { expect, it } from 'vitest';
import { buildSparklinePath } from './sparkline-path.ts';

it('draws from the left to the right edge, higher for more', () => {
  const { line, area } = buildSparklinePath([0, 50, 100]);
  expect(line).toBe('M0 100L50 53.7L100 7.4');
  expect(area).toBe('M0 100L0 100L50 53.7L100 7.4L100 100L0 100Z');
});

it('leaves gaps where nothing is known, and draws nothing of nothing', () => {
  expect(buildSparklinePath([1, null, 1, 1]).line.match(/M/g)).toHaveLength(2);
  expect(buildSparklinePath([1, null, 1, 1]).area.match(/Z/g)).toHaveLength(2);
  expect(buildSparklinePath([null, null])).toEqual({ line: '', area: '' });
  expect(buildSparklinePath([])).toEqual({ line: '', area: '' });
});

it('little of what may be much stays near the ground', () => {
  expect(buildSparklinePath([54, 54], 500).line).toBe('M0 90L100 90');
  expect(buildSparklinePath([0, 1000], 500).line).toBe('M0 100L100 7.4');
});

it('a line of zeros lies on the ground', () => {
  expect(buildSparklinePath([0, 0]).line).toBe('M0 100L100 100');
});
