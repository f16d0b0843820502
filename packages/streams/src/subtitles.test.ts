import { describe, expect, it } from 'vitest';
import { decodeCues, decodeLanguage, decodeSubtitleTracks, mostCues, mostSubtitleTracks } from './subtitles.ts';

const english = { language: 'en', name: 'English', isDefault: true };
const cue = { id: '1', startMs: 1000, endMs: 2500, text: 'Good evening.' };

it('tracks and cues are parsed as they were sent', () => {
  expect(decodeSubtitleTracks({ tracks: [english] })).toEqual([english]);
  const interim = { ...cue, id: '2', isInterim: true };
  expect(decodeCues({ cues: [cue, interim] })).toEqual([cue, interim]);
  expect(decodeLanguage({ language: 'zh-Hans' })).toBe('zh-Hans');
});

it('removes control characters and extra line breaks from texts', () => {
  const [track] = decodeSubtitleTracks({ tracks: [{ language: 'en', name: 'E"\r\n#EXT-X', isDefault: false }] });
  expect(track?.name).toBe("E' #EXT-X");
  const text = ' one\u0000\r\n\r\n\u2028two \n\n\n';
  const [read] = decodeCues({ cues: [{ ...cue, id: 'a\nb', text }] });
  expect([read?.id, read?.text]).toEqual(['a b', 'one\ntwo']);
  const [long] = decodeCues({ cues: [{ ...cue, text: '\ud83d\ude00'.repeat(2000) }] });
  expect([long?.text.length, long?.text.isWellFormed()]).toEqual([2000, true]);
});

describe('malformed tracks and cues', () => {
  it.each([
    ['nothing', undefined, 'the body must be a JSON object'],
    ['a list', [], 'the body must be a JSON object'],
    ['no list', { tracks: {} }, 'tracks: must be a list'],
    ['no tracks', {}, 'tracks is required'],
    ['no language', { tracks: [{ ...english, language: 'en/..' }] }, 'tracks[0].language: must be a language tag'],
    [
      'one language twice',
      { tracks: [english, { ...english, language: 'EN', isDefault: false }] },
      'tracks: each language must be unique',
    ],
    ['two defaults', { tracks: [english, { ...english, language: 'de' }] }, 'tracks: must have at most one default'],
    [
      'too many',
      { tracks: Array.from({ length: mostSubtitleTracks + 1 }, (_, n) => ({ ...english, language: `x-${n}` })) },
      'tracks: must have at most 16 entries',
    ],
    ['null', { tracks: [null] }, 'tracks[0]: must be a JSON object'],
  ])('%s is refused', (_name, body, message) => {
    expect(() => decodeSubtitleTracks(body)).toThrow(expect.objectContaining({ name: 'MalformedMessage', message }));
  });

  it.each([
    ['an end before the start', { ...cue, endMs: 900 }, 'endMs'],
    ['a cue of an hour', { ...cue, endMs: 3_600_000 }, 'endMs'],
    ['a time that is none', { ...cue, startMs: Number.NaN }, 'startMs'],
    ['a negative time', { ...cue, startMs: -1 }, 'startMs'],
    ['no id', { ...cue, id: '' }, 'id'],
    ['no text', { id: '1', startMs: 0, endMs: 1 }, 'text'],
  ])('%s is refused', (_name, value, field) => {
    expect(() => decodeCues({ cues: [cue, value] })).toThrow(
      expect.objectContaining({ name: 'MalformedMessage', field: `cues[1].${field}` }),
    );
  });

  it('a cue that is a number is refused', () => {
    expect(() => decodeCues({ cues: [7] })).toThrow('cues[0]: must be a JSON object');
  });

  it('too many cues are refused', () => {
    expect(() => decodeCues({ cues: Array.from({ length: mostCues + 1 }, () => cue) })).toThrow('at most 1000 entries');
  });
});
