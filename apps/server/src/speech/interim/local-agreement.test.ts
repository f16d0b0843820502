import { describe, expect, it } from 'vitest';
import { splitWords } from '../cue-lines.ts';
import { alignedLength, LocalAgreement } from './local-agreement.ts';

function agreed(...texts: string[]): string[] {
  const agreement = new LocalAgreement();
  return texts.map((text) => {
    agreement.push(splitWords(text));
    return agreement.words.join('');
  });
}
const words = (text: string) => text.split(' ');

describe('LocalAgreement', () => {
  it('confirms the common beginning of two consecutive results, ignoring punctuation after it', () => {
    expect(agreed('The number.', 'The number you have', 'The number you have dialed is', 'The number')).toEqual([
      '',
      'The number ',
      'The number you have ',
      'The number you have ',
    ]);
  });

  it('never withdraws a confirmed word, and continues behind it when a later result differs', () => {
    const texts = ['I scream for', 'I scream for it', 'Ice cream for it today', 'Ice cream for it today and'];
    expect(agreed(...texts)).toEqual(['', 'I scream for ', 'I scream for ', 'I scream for it today ']);
  });

  it('repeats nothing when a result inserts a word in front', () => {
    const texts = ['it is late', 'it is late now', 'So it is late now', 'So it is late now and'];
    expect(agreed(...texts).at(-1)).toBe('it is late now ');
  });

  it('leaves the end of a sentence open until something follows it', () => {
    expect(agreed('Good evening.', 'Good evening.', 'Good evening. We', 'Good evening. We are')).toEqual([
      '',
      'Good evening ',
      'Good evening ',
      'Good evening We ',
    ]);
    expect(agreed('Yes. We are', 'Yes. We are here')).toEqual(['', 'Yes. We are ']);
  });

  it('confirms letter by letter in languages without spaces', () => {
    expect(agreed('今天的天', '今天的天气', '今天的天气很')).toEqual(['', '今天的天', '今天的天气']);
    expect(agreed('他说：“', '他说：“你好', '他说：“你好”。')).toEqual(['', '他说：', '他说：“你好']);
    expect(agreed('오늘은 날씨가', '오늘은 날씨가 아주')).toEqual(['', '오늘은 날씨가 ']);
  });

  it('confirms old words from a single result', () => {
    const agreement = new LocalAgreement();
    agreement.push(splitWords('It is raining today'), 2);
    expect(agreement.words).toEqual(['It ', 'is ']);
    agreement.push(splitWords('It is training today in the'), 3);
    expect(agreement.words).toEqual(['It ', 'is ', 'training ']);
  });

  it('confirms nothing from results that are empty or have nothing in common', () => {
    expect(agreed('', 'one', '', 'two', 'three')).toEqual(['', '', '', '', '']);
  });
});

describe('alignedLength', () => {
  it.each([
    ['the same', 'a b c', 'a b c d e', 3],
    ['a word more', 'a b c', 'a x b c d', 4],
    ['a word less', 'a b c', 'a c d', 2],
    ['another word', 'a b c', 'a x c d', 3],
    ['less than was said', 'a b c', 'a', 1],
  ])('%s', (_, said, now, expected) => {
    expect(alignedLength(words(said), words(now))).toBe(expected);
  });

  it('of empty text is nothing', () => {
    expect([alignedLength([], words('a b')), alignedLength(words('a b'), [])]).toEqual([0, 0]);
  });
});
