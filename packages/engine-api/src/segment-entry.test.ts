import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EntryFile, entryName, isSegmentId, parseEntryName, type SegmentEntry } from './segment-entry.ts';

const id = '0b9f2c5e-8a0d-4c57-9f6e-2d1c3b4a5968';
const anyEntry: fc.Arbitrary<SegmentEntry> = fc.record({
  keptAtMs: fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 }),
  count: fc.integer({ min: 0, max: 99_999_999 }),
  id: fc.uuid(),
});

describe('the name of a spool entry', () => {
  it('is parsed as it was written', () => {
    fc.assert(
      fc.property(anyEntry, fc.constantFrom<EntryFile>('mpegts', 'fmp4', 'init', 'facts'), (entry, file) => {
        expect(parseEntryName(entryName(entry, file))).toEqual({ ...entry, file });
      }),
    );
  });

  it('sorts by time, then by count', () => {
    fc.assert(
      fc.property(anyEntry, anyEntry, (a, b) => {
        const order = a.keptAtMs - b.keptAtMs || a.count - b.count;
        if (order === 0) return true;
        return order < 0 === entryName(a, 'mpegts') < entryName(b, 'mpegts');
      }),
    );
  });

  it('keeps its width when the count restarts', () => {
    expect(parseEntryName(entryName({ keptAtMs: 1_700_000_000_000, count: 100_000_007, id }, 'mpegts'))?.count).toBe(7);
  });

  it.each([
    `1700000000000-00000001-${id}.mov`,
    `1700000000000-00000001-${id}.ts.tmp`,
    `1700000000000-00000001-${id.toUpperCase()}.ts`,
    `1700000000000-1-${id}.ts`,
    `17-00000001-${id}.ts`,
    `1700000000000-00000001-${'-'.repeat(36)}.ts`,
    `x/1700000000000-00000001-${id}.ts`,
    'show-7.ts',
    '',
  ])('is not %j', (name) => {
    expect(parseEntryName(name)).toBeUndefined();
  });
});

it('isSegmentId accepts a UUID in lower case only', () => {
  fc.assert(fc.property(fc.uuid(), isSegmentId));
  for (const text of ['', '../../x', id.toUpperCase(), `${id}0`, `\n${id}`]) expect(isSegmentId(text)).toBe(false);
});
