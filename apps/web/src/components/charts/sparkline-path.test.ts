import { expect, it } from 'vitest';
import { sparklinePath } from './sparkline-path.ts';

it('draws from the left to the right edge, higher for more', () => {
  const { line, area } = sparklinePath([0, 50, 100]);
  expect(line).toBe('M0 100L50 53.7L100 7.4');
  expect(area).toBe('M0 100L0 100L50 53.7L100 7.4L100 100L0 100Z');
});

it('leaves gaps where nothing is known, and draws nothing of nothing', () => {
  expect(sparklinePath([1, null, 1, 1]).line.match(/M/g)).toHaveLength(2);
  expect(sparklinePath([1, null, 1, 1]).area.match(/Z/g)).toHaveLength(2);
  expect(sparklinePath([null, null])).toEqual({ line: '', area: '' });
  expect(sparklinePath([])).toEqual({ line: '', area: '' });
});

it('little of what may be much stays near the ground', () => {
  expect(sparklinePath([54, 54], 500).line).toBe('M0 90L100 90');
  expect(sparklinePath([0, 1000], 500).line).toBe('M0 100L100 7.4');
});

it('a line of zeros lies on the ground', () => {
  expect(sparklinePath([0, 0]).line).toBe('M0 100L100 100');
});
