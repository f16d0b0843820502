import i18next from 'i18next';
import { expect, it } from 'vitest';
import { group } from '../dubbing.fixture.ts';
import {
  findGroupIndex,
  formatSubtitles,
  formatTimecode,
  freeSpaceTone,
  needsAttention,
  statusText,
} from './group-status.ts';

it.each([
  [-0.1, 'bad'],
  [0, 'warn'],
  [0.29, 'warn'],
  [0.3, 'busy'],
  [0.99, 'busy'],
  [1, 'ok'],
  [null, 'off'],
] as const)('has the specified colour with %s s left', (free_space, tone) => {
  expect(freeSpaceTone({ free_space, cause: null })).toBe(tone);
});

it('says whether a voice fits, and why not', () => {
  const words = (facts: Parameters<typeof group>[1]) => statusText(i18next.t, group(0, facts));
  expect(words({})).toBe('Fits, 0.5 s free');
  expect(words({ tempo: 1.12 })).toBe('Fits, 0.5 s free · 1.12× speed');
  expect(words({ fit: 'pause', free_space: -0.2 })).toBe('Ends in the pause after it');
  expect(words({ fit: 'long', over: 0.84, free_space: -1 })).toBe('Too long by 0.8 s');
  expect(words({ fit: 'none', free_space: null })).toBe('No voice yet');
  expect(words({ cause: 'quota' })).toBe('Failed: The account at the AI provider has no credit left.');
  expect(needsAttention(group(0, { fit: 'pause' }))).toBe(false);
  expect(needsAttention(group(0, { fit: 'long' }))).toBe(true);
});

it('finds the group at a second', () => {
  const groups = Array.from({ length: 2000 }, (_, n) => group(n));
  expect([-1, 0, 2.9, 3, 5999].map((second) => findGroupIndex(groups, second))).toEqual([-1, 0, 0, 1, 1999]);
  expect(findGroupIndex([], 5)).toBe(-1);
});

it('writes subtitles in both formats', () => {
  const groups = [group(0), group(1, { translated: '' }), group(2, { rephrased: 'kurz --> so\n\n2' })];
  expect(formatSubtitles(groups, 'translation', 'srt')).toBe(
    '1\n00:00:00,000 --> 00:00:02,000\nSatz 0\n\n2\n00:00:06,000 --> 00:00:08,000\nkurz → so 2\n',
  );
  expect(formatSubtitles(groups.slice(0, 1), 'source', 'vtt')).toBe(
    'WEBVTT\n\n1\n00:00:00.000 --> 00:00:02.000\nSentence 0\n',
  );
  expect(formatTimecode(3725.0426)).toBe('01:02:05.043');
});
