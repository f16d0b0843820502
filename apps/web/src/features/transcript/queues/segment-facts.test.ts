import { describe, expect, it } from 'vitest';
import { allowClearSubtitle, cueFacts } from './segment-facts.ts';

const row = (tsid: string, uca = false) => ({ tsid, uca });
const cue = (text: string) => ({ start: 0, end: 1, text });

describe('a row of a transcript queue', () => {
  it.each([
    ['the only one', [row('a')], 'a', true],
    ['the first of several', [row('a'), row('b')], 'a', false],
    ['one behind the first', [row('a'), row('b')], 'b', true],
    ['one that was cleared', [row('a'), row('b', true)], 'b', false],
    ['the only one, cleared', [row('a', true)], 'a', false],
    ['one that has left', [row('a')], 'b', false],
  ])('can be cleared or not: %s', (_name, segments, tsid, isAllowed) => {
    expect(allowClearSubtitle(segments, tsid)).toBe(isAllowed);
  });

  it('has the count, longest text and most words of its cues', () => {
    expect(cueFacts({ asrs: [] })).toEqual({ count: 0, asrsMaxLength: 0, asrsMaxWords: 0 });
    const asrs = [cue('good evening'), cue(' a  b c '), cue('congratulations')];
    expect(cueFacts({ asrs })).toEqual({ count: 3, asrsMaxLength: 15, asrsMaxWords: 3 });
  });
});
