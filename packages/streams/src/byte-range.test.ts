import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentRange, readRange } from './byte-range.ts';

it.each([
  [undefined, undefined],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  [' bytes=10-19 ', { start: 10, end: 19 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // Ranges that may be answered with the whole body.
  ['bytes=-', undefined],
  ['bytes=20-10', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-1', undefined],
  ['bytes=a-b', undefined],
  [`bytes=${'9'.repeat(16)}-`, undefined],
])('%s of a hundred bytes is %j', (header, range) => {
  expect(readRange(header, 100)).toEqual(range);
});

it('a range of an empty file is unsatisfiable', () => {
  for (const header of ['bytes=0-', 'bytes=0-5', 'bytes=-5']) expect(readRange(header, 0)).toBe('unsatisfiable');
});

it('a range lies within the file, whatever is requested', () => {
  const number = fc.option(fc.nat(), { nil: '' });
  fc.assert(
    fc.property(number, number, fc.nat({ max: 1000 }), (first, last, size) => {
      const range = readRange(`bytes=${first}-${last}`, size);
      if (range === undefined || range === 'unsatisfiable') return true;
      return range.start >= 0 && range.start <= range.end && range.end < size;
    }),
  );
});

it('contentRange names the range and the size of the file', () => {
  expect(contentRange({ start: 10, end: 19 }, 100)).toBe('bytes 10-19/100');
  expect(contentRange('unsatisfiable', 100)).toBe('bytes */100');
});
