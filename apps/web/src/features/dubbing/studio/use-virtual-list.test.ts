import { expect, it } from 'vitest';
import { rowOffsets, scrollTopFor, visibleRange } from './use-virtual-list.ts';

const keys = Array.from({ length: 2000 }, (_, n) => `${n}`);
const offsets = rowOffsets(keys, new Map([['1', 300]]), 100);

it('finds the visible rows and a few around them', () => {
  expect(offsets.at(-1)).toBe(200_200);
  expect(visibleRange(offsets, 0, 800, 0)).toEqual({ first: 0, last: 7 });
  expect(visibleRange(offsets, 100_250, 800, 600)).toEqual({ first: 994, last: 1015 });
  expect(visibleRange(offsets, 200_200, 800, 0)).toEqual({ first: 1999, last: 2000 });
  expect(visibleRange(rowOffsets([], new Map(), 100), 0, 800, 600)).toEqual({ first: 0, last: 0 });
});

it('scrolls so that rows before the target stay visible if it fits', () => {
  expect(scrollTopFor(offsets, 100, 4, 800)).toBe(offsets[96]);
  expect(scrollTopFor(offsets, 100, 12, 800)).toBe(offsets[96]);
  expect(scrollTopFor(offsets, 2, 4, 800)).toBe(0);
  expect(scrollTopFor(offsets, 100, 4, 50)).toBe(offsets[100]);
});
