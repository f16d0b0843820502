import { expect, it } from 'vitest';
import { formatAgo, formatBytes, formatDuration, formatPosition, formatUnit, joinSentences } from './format.ts';

it.each([
  [0, '0 sec'],
  [59.9, '59 sec'],
  [60, '1 min'],
  [3725, '1 hr 2 min'],
  [90_061, '1 day 1 hr'],
])('formats a duration of %d seconds as %s', (seconds, words) => {
  expect(formatDuration(seconds, 'en')).toBe(words);
});

it('puts a space between value and unit in Chinese', () => {
  expect([formatDuration(3725, 'zh'), formatUnit(160, 'millisecond', 'zh')]).toEqual([
    '1\u00a0小时 2\u00a0分钟',
    '160\u00a0毫秒',
  ]);
  expect(formatUnit(1.25, 'second', 'en', 1)).toBe('1.3 sec');
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1500, '1.5 kB'],
  [31.24e9, '31.2 GB'],
  [312e9, '312 GB'],
])('formats %d bytes as %s', (bytes, words) => {
  expect(formatBytes(bytes, 'en')).toBe(words);
});

it.each([
  [-5, 'now'],
  [0, 'now'],
  [42, '42 sec. ago'],
  [125, '2 min. ago'],
  [86_400, 'yesterday'],
])('formats %d seconds ago as %s', (seconds, words) => {
  const now = new Date('2026-03-01T12:00:00Z');
  expect(formatAgo(new Date(now.getTime() - seconds * 1000), now, 'en')).toBe(words);
});

it('joins sentences by language and skips empty ones', () => {
  expect(joinSentences(['One.', '', 'Two.'], 'en')).toBe('One. Two.');
  expect(joinSentences(['一。', '', '二。'], 'zh')).toBe('一。二。');
});

it('formats positions in a recording', () => {
  expect([0, 9.9, 125, 3725.4, -1].map(formatPosition)).toEqual(['0:00', '0:09', '2:05', '1:02:05', '0:00']);
});
