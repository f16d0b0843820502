import { expect, it } from 'vitest';
import { PieceCutter } from './pieces.ts';

/** Text in small chunks, as a model sends it. */
function cut(text: string, size = 4): string[] {
  const cutter = new PieceCutter();
  const pieces: string[] = [];
  for (let n = 0; n < text.length; n += size) pieces.push(...cutter.push(text.slice(n, n + size)));
  return [...pieces, ...cutter.end()];
}

it('cuts speech at punctuation, first after at least three words and later after at least five', () => {
  expect(cut('Yes, of course I can. It rains, it is cold, and nobody is out there. Go!')).toEqual([
    'Yes, of course I can.',
    'It rains, it is cold,',
    'and nobody is out there.',
    'Go!',
  ]);
});

it('keeps numbers whole', () => {
  expect(cut('It costs about 1.3 million, or 1,300 for each of you.')).toEqual([
    'It costs about 1.3 million,',
    'or 1,300 for each of you.',
  ]);
});

it('counts characters in languages without spaces between words', () => {
  expect(cut('你好，今天天气很好。我们去散步吧！', 1)).toEqual(['你好，', '今天天气很好。', '我们去散步吧！']);
});

it('cuts text without punctuation by its length, at the end of a word', () => {
  const pieces = cut(Array.from({ length: 100 }, (_, n) => `w${n}`).join(' '));
  expect(pieces.map((piece) => piece.split(' ').length)).toEqual([30, 50, 20]);
  expect(pieces.join(' ').split(' ')).toHaveLength(100);
});

it('joins many lines into one, and returns nothing for empty text', () => {
  expect(cut('One\n\ntwo\r\nthree four.')).toEqual(['One two three four.']);
  expect(cut(' \n ')).toEqual([]);
});
