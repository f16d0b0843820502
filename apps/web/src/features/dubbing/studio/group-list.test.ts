import { expect, it } from 'vitest';
import { findFirstRow } from './group-list.tsx';

const rows = Array.from({ length: 2000 }, (_, n) => ({ start: n * 100, end: (n + 1) * 100 }));

it('scrolls so that rows before the target stay visible if it fits', () => {
  expect(findFirstRow(rows, { index: 100, above: 4, height: 800 })).toBe(96);
  expect(findFirstRow(rows, { index: 100, above: 12, height: 800 })).toBe(96);
  expect(findFirstRow(rows, { index: 2, above: 4, height: 800 })).toBe(0);
  expect(findFirstRow(rows, { index: 100, above: 4, height: 50 })).toBe(100);
});
