import { expect, it } from 'vitest';
import { group } from '../dubbing.fixture.ts';
import { findRegrouping, findUnchanged } from './regrouping.ts';

const [a, b, c] = [group(0), group(1), group(2)];
const [shorter, other] = [
  { ...b, rephrased: 'Kurz' },
  { ...b, translated: 'Anders' },
];
const half = group(3, { start: 4, end: 5 });

it.each([
  ['a split', { before: [a, b, c], after: [a, b, half, c] }, 'split', [[b], [b, half]]],
  ['one with the next', { before: [a, b, c], after: [a, b] }, 'mergeNext', [[b, c], [b]]],
  ['one with the previous', { before: [a, b, c], after: [b, c] }, 'mergePrevious', [[a, b], [b]]],
  ['shorter words', { before: [a, b], after: [a, shorter] }, 'rephrase', [[b], [shorter]]],
  ['another translation', { before: [a, b], after: [a, other] }, 'again', [[b], [other]]],
] as const)('detects the regrouping of %s', (_name, groups, action, [before, after]) => {
  expect(findRegrouping(groups, b.uuid, action)).toEqual({ before, after });
});

it('detects no regrouping where nothing changed', () => {
  const groups = { before: [a, b], after: [a, b] };
  for (const action of ['split', 'mergeNext', 'mergePrevious', 'rephrase', 'again'] as const)
    expect(findRegrouping(groups, a.uuid, action)).toBeUndefined();
  expect(findRegrouping({ before: [a, b], after: [a] }, b.uuid, 'mergeNext')).toBeUndefined();
});

it('recognizes groups after changes by AI, but not after edits', () => {
  const untranslated = { ...half, translated: '' };
  const known = [b, untranslated];
  const made = { ...half, translated: 'By AI', tts: 'voice', revision: 9 };
  expect(findUnchanged([a, b, made, c], known)).toEqual([b, made]);
  for (const theirs of [{ corrected: true }, { end: 4.8 }, { segments: [] }])
    expect(findUnchanged([a, b, { ...made, ...theirs }, c], known)).toBeUndefined();
  expect(findUnchanged([a, b], known)).toBeUndefined();
});
