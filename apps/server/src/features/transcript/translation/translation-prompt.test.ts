import { describe, expect, it } from 'vitest';
import { readTranslation, translationMessages } from './translation-prompt.ts';

const lines = ['Good evening.', 'Welcome to the show.'];

it('names both languages, numbers the lines, and includes the lines around them', () => {
  const before = [{ text: 'Hello.', translated: 'Hallo.' }];
  const [system, user] = translationMessages({ from: 'en', to: 'de', before, lines, next: 'Tonight' });
  expect(system?.content).toContain('from English (en) into German (de)');
  expect(user?.content).toBe(
    'Said before, as context only:\nHello. => Hallo.\n\nSaid next, as context only:\nTonight\n\nTranslate:\n1| Good evening.\n2| Welcome to the show.',
  );
  const [anyone] = translationMessages({ from: '', to: 'xyz-nowhere-1', before: [], lines, next: '' });
  expect(anyone?.content).toContain('live subtitles into');
});

describe('a translation answer', () => {
  it.each([
    ['as it was asked for', '1| Guten Abend.\n2| Willkommen.'],
    ['with other signs and lines between', '1. Guten Abend.\r\n\r\n 2) Willkommen.'],
    ['in another order', '2: Willkommen.\n1: Guten Abend.'],
    ['in a fence, with a greeting', 'Sure, here it is:\n```\n1| Guten Abend.\n2| Willkommen.\n```'],
  ])('is read %s', (_name, answer) => {
    expect(readTranslation(answer, lines)).toEqual(['Guten Abend.', 'Willkommen.']);
  });

  it('for one line may be that line alone', () => {
    expect(readTranslation('Guten Abend.\n', ['Good evening.'])).toEqual(['Guten Abend.']);
  });

  it('is plain text of one line', () => {
    expect(readTranslation('1| a\u0000b\u202e\u2028c <b>x</b> --> y', ['Good evening.'])).toEqual([
      'a b c <b>x</b> --> y',
    ]);
  });

  it.each([
    ['nothing', ''],
    ['too few lines', '1| Guten Abend.'],
    ['too many', '1| a\n2| b\n3| c'],
    ['a number twice', '1| a\n1| b'],
    ['other numbers', '0| a\n1| b'],
    ['an empty line', '1| a\n2| '],
    ['a text instead', 'I am sorry, I cannot help with that.'],
    ['a novel', `1| a\n2| ${'x'.repeat(500)}`],
    ['a page', '<html><script>alert(1)</script></html>'],
  ])('is refused: %s', (_name, answer) => {
    expect(() => readTranslation(answer, lines)).toThrow(expect.objectContaining({ cause: 'bad-answer' }));
  });
});
