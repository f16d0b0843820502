import { describe, expect, it } from 'vitest';
import { writeWav } from '../ai/wav.ts';
import { splitCue } from './cue-lines.ts';
import { cleanText, isDoubtful } from './doubtful-text.ts';

it('wavOf says what it holds', () => {
  const wav = Buffer.from(writeWav(Buffer.alloc(320)));
  expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
  expect([wav.readUInt32LE(4), wav.readUInt32LE(24), wav.readUInt32LE(40), wav.length]).toEqual([
    356, 16_000, 320, 364,
  ]);
});

describe('cuesOf', () => {
  const lines = (text: string) => splitCue({ startMs: 0, endMs: 4000, text }).map((cue) => cue.text.split('\n'));

  it('keeps a short text in one line, and breaks a longer one into two of about the same length', () => {
    expect(lines('Good evening.')).toEqual([['Good evening.']]);
    const [page = []] = lines('The quick brown fox jumps over the lazy dog and runs away.');
    expect(page).toHaveLength(2);
    expect(page.every((line) => line.length <= 42)).toBe(true);
    expect(Math.abs((page[0]?.length ?? 0) - (page[1]?.length ?? 0))).toBeLessThan(15);
  });

  it('shows no more than two lines at a time, and divides the time by length', () => {
    const text =
      'Nobody can read as fast as some people speak, which is why a text this long is shown in several pieces, one after the other.';
    const cues = splitCue({ startMs: 1000, endMs: 9000, text });
    expect(cues.length).toBeGreaterThan(1);
    expect(cues[0]?.startMs).toBe(1000);
    expect(cues.at(-1)?.endMs).toBe(9000);
    for (const [at, cue] of cues.slice(1).entries()) expect(cue.startMs).toBe(cues[at]?.endMs);
    expect(
      cues
        .map((cue) => cue.text)
        .join(' ')
        .replaceAll('\n', ' '),
    ).toBe(text);
    for (const cue of cues) expect(cue.text.split('\n').length).toBeLessThanOrEqual(2);
  });

  it('counts wide letters twice, and loses none', () => {
    const text = '今天天气很好，我们一起去公园散步吧，然后在湖边的小餐馆里吃一顿丰盛的午餐。';
    const pages = lines(text);
    expect(pages.flat().join('')).toBe(text);
    for (const line of pages.flat()) expect(line.length).toBeLessThanOrEqual(21);
  });

  it('breaks text without spaces', () => {
    expect(
      lines('x'.repeat(100))
        .flat()
        .every((line) => line.length <= 48),
    ).toBe(true);
  });
});

describe('isDoubtful', () => {
  it.each([
    ['[Music]', 2],
    ['(silence)', 2],
    ['♪ ♪', 2],
    ['...', 1],
    ['', 1],
    ['one two three four five six seven eight nine ten eleven twelve', 1],
    ['you you you you you you you you you you', 5],
    ['谢谢谢谢谢谢谢谢谢谢谢谢', 4],
  ])('is true for %j in %d s', (text, seconds) => expect(isDoubtful(text, seconds)).toBe(true));

  it.each([
    ['Yes.', 0.4],
    ['The quick brown fox jumps over the lazy dog.', 2.6],
    ['今天天气很好，我们一起去公园散步吧。', 3],
    ['No, no, no.', 1],
  ])('is false for %j in %d s', (text, seconds) => expect(isDoubtful(text, seconds)).toBe(false));
});

it('cleanText removes control characters', () => {
  expect(cleanText(' a\u0000b\r\n\u202ec\u2066 d\ufeff ')).toBe('a b c d');
  expect(cleanText('x'.repeat(5000))).toHaveLength(1000);
});
