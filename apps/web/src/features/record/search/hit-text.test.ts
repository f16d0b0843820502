import type { TranscriptHit } from '@weir/contract';
import { expect, it } from 'vitest';
import { groupHits, splitHitText } from './hit-text.ts';

const shown = (text: string, marks: [number, number][]) =>
  splitHitText({ text, marks })
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('');

it('marks matches in the middle and at both ends', () => {
  expect(
    shown('red and green', [
      [0, 3],
      [8, 13],
    ]),
  ).toBe('[red] and [green]');
  expect(shown('all of it', [])).toBe('all of it');
  expect(shown('two\nlines', [[4, 9]])).toBe('two [lines]');
});

it('cuts a long text around the first match at a word boundary', () => {
  const text = `${'before '.repeat(100)}needle ${'after '.repeat(100)}`;
  const at = text.indexOf('needle');
  const words = shown(text, [[at, at + 6]]);
  expect(words).toMatch(/^…before .*\[needle\] after .*…$/);
  expect(words.length).toBeLessThan(260);
});

it('cuts Chinese text without spaces and splits no character', () => {
  const text = `${'𠮷'.repeat(200)}流${'𠮷'.repeat(200)}`;
  const words = shown(text, [[400, 401]]);
  expect(words).toContain('[流]');
  expect(words).toMatch(/^…𠮷+\[流\]𠮷+…$/u);
});

it('accepts marks that overlap or lie outside', () => {
  expect(
    shown('abcdef', [
      [0, 3],
      [2, 4],
      [5, 99],
    ]),
  ).toBe('[abc][d]e[f]');
});

it('groups consecutive hits of one recording', () => {
  const hit = (id: number, recording: string | null, stream = 'show'): TranscriptHit => ({
    id,
    recording,
    stream,
    kind: 'speech',
    vhost: '__defaultVhost__',
    app: 'live',
    date: '',
    text: '',
    marks: [],
    language: '',
    second: null,
  });
  const groups = groupHits([hit(9, 'a'), hit(8, 'a'), hit(7, 'b'), hit(6, 'a'), hit(5, null), hit(4, null, 'other')]);
  expect(groups.map(({ hits }) => hits.map(({ id }) => id))).toEqual([[9, 8], [7], [6], [5], [4]]);
});
