import { describe, expect, it } from 'vitest';
import { mostCues, mostSubtitleTracks, parseToldCues, parseToldTracks } from './subtitles.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const english = { language: 'en', name: 'English', isDefault: true };
const cue = { id: '1', startMs: 1000, endMs: 2500, text: 'Good evening.' };

it('tracks and cues are parsed as they were sent', () => {
  expect(parseToldTracks({ ...place, tracks: [english] })).toEqual({ place, tracks: [english] });
  const interim = { ...cue, id: '2', isInterim: true };
  expect(parseToldCues({ ...place, language: 'zh-Hans', cues: [cue, interim] })).toEqual({
    place,
    language: 'zh-Hans',
    cues: [cue, interim],
  });
});

it('removes control characters and extra line breaks from texts', () => {
  const [track] = parseToldTracks({
    ...place,
    tracks: [{ language: 'en', name: 'E"\r\n#EXT-X', isDefault: false }],
  }).tracks;
  expect(track?.name).toBe("E' #EXT-X");
  const text = ' one\u0000\r\n\r\n\u2028two \n\n\n';
  const [read] = parseToldCues({ ...place, language: 'en', cues: [{ ...cue, id: 'a\nb', text }] }).cues;
  expect([read?.id, read?.text]).toEqual(['a b', 'one\ntwo']);
  const [long] = parseToldCues({
    ...place,
    language: 'en',
    cues: [{ ...cue, text: '\ud83d\ude00'.repeat(2000) }],
  }).cues;
  expect([long?.text.length, long?.text.isWellFormed()]).toEqual([2000, true]);
});

describe('malformed tracks and cues', () => {
  it.each([
    ['nothing', undefined],
    ['no list', { ...place, tracks: {} }],
    ['no place', { tracks: [english] }],
    ['no language', { ...place, tracks: [{ ...english, language: 'en/..' }] }],
    ['one language twice', { ...place, tracks: [english, { ...english, language: 'EN', isDefault: false }] }],
    ['two defaults', { ...place, tracks: [english, { ...english, language: 'de' }] }],
    [
      'too many',
      {
        ...place,
        tracks: Array.from({ length: mostSubtitleTracks + 1 }, (_, n) => ({ ...english, language: `x-${n}` })),
      },
    ],
    ['null', { ...place, tracks: [null] }],
  ])('%s is refused', (_name, body) => {
    expect(() => parseToldTracks(body)).toThrow(expect.objectContaining({ name: 'MalformedHook' }));
  });

  it.each([
    ['an end before the start', { ...cue, endMs: 900 }],
    ['a cue of an hour', { ...cue, endMs: 3_600_000 }],
    ['a time that is none', { ...cue, startMs: Number.NaN }],
    ['a negative time', { ...cue, startMs: -1 }],
    ['no id', { ...cue, id: '' }],
    ['no text', { id: '1', startMs: 0, endMs: 1 }],
    ['a number', 7],
  ])('%s is refused', (_name, value) => {
    const body = { ...place, language: 'en', cues: [cue, value] };
    expect(() => parseToldCues(body)).toThrow(expect.objectContaining({ name: 'MalformedHook' }));
  });

  it('too many cues are refused', () => {
    const body = { ...place, language: 'en', cues: Array.from({ length: mostCues + 1 }, () => cue) };
    expect(() => parseToldCues(body)).toThrow('too many');
  });
});
