import { describe, expect, it } from 'vitest';
import { isVaried } from './speech-routes.ts';
import { splitIntoSubtitles } from './split-subtitles.ts';

const texts = (text: string) => splitIntoSubtitles(text, 0, 10).map((segment) => segment.text);

describe('splitIntoSubtitles', () => {
  it('splits at sentence ends without gaps and times by character count', () => {
    const segments = splitIntoSubtitles(
      'The number you have dialed is not in service. Please check the number and try again.',
      2,
      10,
    );
    expect(segments.map(({ text }) => text)).toEqual([
      'The number you have dialed is not in service.',
      'Please check the number and try again.',
    ]);
    expect(segments[0]).toMatchObject({ start: 2 });
    expect(segments[0]?.end).toBeCloseTo(6.34, 1);
    expect(segments[1]).toMatchObject({ start: segments[0]?.end, end: 10 });
  });

  it('joins short sentences and breaks long ones at a comma or between words', () => {
    expect(texts('Yes. I know. That is right.')).toEqual(['Yes. I know. That is right.']);
    const long =
      'If the console is busy or unavailable right now, you will be given the option to leave a message for them';
    expect(texts(long)).toEqual([
      'If the console is busy or unavailable right now,',
      'you will be given the option to leave a message for them',
    ]);
    for (const part of texts('word '.repeat(100))) expect(part.length).toBeLessThanOrEqual(84);
    expect(texts('x'.repeat(200)).join('')).toHaveLength(200);
  });

  it('splits Chinese text, and not within a number', () => {
    expect(texts('今天的天气很好，我们一起去公园散步吧。明天可能会下雨，记得带上雨伞和外套出门。')).toEqual([
      '今天的天气很好，我们一起去公园散步吧。',
      '明天可能会下雨，记得带上雨伞和外套出门。',
    ]);
    expect(texts('It has a 28.8 kilobit modem and nothing else.')).toHaveLength(1);
  });

  it('returns nothing for silence', () => {
    expect(splitIntoSubtitles('', 0, 3)).toEqual([]);
    expect(splitIntoSubtitles('  ', 0, 3)).toEqual([]);
  });
});

describe('isVaried', () => {
  it.each([
    ['as people speak', 'Please stay on the line and your call will be answered.', true],
    ['when a short word repeats', 'No, no, no.', true],
    ['not when it turns in circles', 'the the of the the of the the of the the of', false],
    ['not when it turns in circles in Chinese', '的的的的的的的的的的', false],
  ])('%s', (_, text, expected) => {
    expect(isVaried(text)).toBe(expected);
  });
});
