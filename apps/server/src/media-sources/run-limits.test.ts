import { expect, it } from 'vitest';
import { runLimits } from './run-limits.ts';

it.each([
  ['', {}],
  ['max-stream-duration=15s', { longestMs: 15_000 }],
  ['max-stream-duration=1h30m', { longestMs: 5_400_000 }],
  ['max-stream-duration=1.5s&abnormal-fast-speed=3.5', { longestMs: 1500, fastLimit: 3.5 }],
  ['max-stream-duration=15&abnormal-fast-speed=x', {}],
  ['max-stream-duration=-1s&abnormal-fast-speed=-1', {}],
  ['max-stream-duration=0s&abnormal-fast-speed=0', {}],
])('an address with %j limits a run by %j', (query, limits) => {
  expect(runLimits(new URLSearchParams(query))).toEqual(limits);
});
