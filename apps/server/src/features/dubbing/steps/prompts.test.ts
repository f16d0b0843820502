import { DubbingProject } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { readAnswer, translationMessages } from './prompts.ts';

const project = DubbingProject.parse({
  uuid: 'one',
  title: 'One',
  created_at: '',
  source: '',
  asr: { aiAsrLanguage: 'en' },
  glossary: [
    { source: 'Weir', target: 'Wehr' },
    { source: 'mill', target: 'Mühle' },
  ],
});

it('translates a line with its neighbours, the glossary and a limit of characters for its time', () => {
  const ask = { project, before: ['Look.'], text: 'The old weir is closed.', after: ['Why?'], budget: 40 };
  const [system, user] = translationMessages(ask).map(({ content }) => String(content));
  expect(system).toContain('into Chinese');
  expect(system).toContain('at most about 40 characters');
  expect(system).toContain('Weir => Wehr');
  expect(system).not.toContain('Mühle');
  expect(user).toBe(
    'Said before, as context only:\nLook.\n\nSaid after, as context only:\nWhy?\n\nTranslate:\nThe old weir is closed.',
  );
});

describe('a translation answer', () => {
  it.each([
    ['“Das Wehr ist zu.”', 'Das Wehr ist zu.'],
    ['```\nDas  Wehr\n```', 'Das Wehr'],
  ])('is read as the line alone: %j', (answer, line) => {
    expect(readAnswer(answer, 'The weir is closed.')).toBe(line);
  });

  it.each(['', ' ``` ', 'x'.repeat(1000)])('without a line is refused', (answer) => {
    expect(() => readAnswer(answer, 'The weir is closed.')).toThrow(/answer/);
  });
});
