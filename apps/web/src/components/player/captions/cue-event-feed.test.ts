import { expect, it } from 'vitest';
import { parseCaptionEvent } from './cue-event-feed.ts';

const cue = { id: '1', startMs: 0, endMs: 900, text: 'hello' };
const english = { language: 'en', name: 'English', isDefault: true };

it('parses caption events', () => {
  expect(parseCaptionEvent('tracks', JSON.stringify({ nowMs: 5, tracks: [english] }))).toEqual({
    name: 'tracks',
    tracks: [english],
  });
  expect(parseCaptionEvent('cues', JSON.stringify({ nowMs: 5, language: 'en', cues: [cue] }))).toEqual({
    name: 'cues',
    nowMs: 5,
    language: 'en',
    cues: [cue],
  });
  expect(parseCaptionEvent('past', JSON.stringify({ nowMs: 5, knownMs: 3, language: 'en', cues: [cue] }))).toEqual({
    name: 'past',
    knownMs: 3,
    language: 'en',
    cues: [cue],
  });
  expect(parseCaptionEvent('past', JSON.stringify({ nowMs: 5, language: 'en', cues: [cue] }))).toBeUndefined();
  expect(parseCaptionEvent('time', '{"nowMs":7}')).toEqual({ name: 'time', nowMs: 7 });
});

it.each(['', 'null', '{}', '{"nowMs":"x"}', '{"nowMs":1,"tracks":7}', '{"nowMs":1,"tracks":[{"language":"<b>"}]}'])(
  'is not taken in by %j',
  (text) => {
    expect(parseCaptionEvent('tracks', text)).toBeUndefined();
  },
);
