import type { TranscriptLine } from '@weir/contract';
import { expect, it } from 'vitest';
import { findLines, formatTranscript, lineText, mergeLines } from './running-transcript.ts';

const line = (n: number, facts: Partial<TranscriptLine> = {}): TranscriptLine => ({
  id: `c1/${n}`,
  at: new Date(2026, 0, 1, 14, 31, n).toISOString(),
  text: `line ${n}`,
  texts: {},
  state: 'air',
  edited: false,
  cleared: false,
  segment: null,
  ...facts,
});

it('keeps lines that the server no longer lists, and takes the newer state of the others', () => {
  const before = [line(1), line(2), line(3, { state: 'review' })];
  const after = mergeLines(before, [line(2), line(3, { text: 'third' }), line(4)]);
  expect(after.map(({ text, state }) => [text, state])).toEqual([
    ['line 1', 'air'],
    ['line 2', 'air'],
    ['third', 'air'],
    ['line 4', 'air'],
  ]);
  expect(mergeLines(before, [])).toBe(before);
});

it('drops a line that a person emptied', () => {
  expect(mergeLines([line(1), line(2), line(3)], [line(1), line(3)]).map(({ text }) => text)).toEqual([
    'line 1',
    'line 3',
  ]);
});

it('finds and writes lines in the language that is shown', () => {
  const lines = [line(1, { texts: { de: 'Guten Abend' } }), line(2), line(3, { texts: { de: 'Weg' }, cleared: true })];
  expect(lines.map((one) => lineText(one, 'de'))).toEqual(['Guten Abend', undefined, 'Weg']);
  expect(findLines(lines, 'de', ' guten ').map(({ id }) => id)).toEqual(['c1/1']);
  expect(findLines(lines, '', 'LINE')).toHaveLength(3);
  expect(formatTranscript(lines, 'de')).toBe('14:31:01  Guten Abend\n');
  expect(formatTranscript(lines, '')).toBe('14:31:01  line 1\n14:31:02  line 2\n');
});
