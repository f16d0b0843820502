import { expect, it } from 'vitest';
import { readAudioFacts, withoutTrackMaps } from './audio-facts.ts';

it('takes languages from the address of the publisher, in the order of the tracks', () => {
  const factsOf = readAudioFacts({}, '?secret=s&audio=en.de.zh-hans');
  expect([0, 1, 2, 3].map(factsOf)).toEqual([
    { language: 'en', name: 'English' },
    { language: 'de', name: 'Deutsch' },
    { language: 'zh-Hans', name: '简体中文' },
    { language: '', name: '' },
  ]);
});

it('takes languages and names from metadata, as far as the address does not tell', () => {
  const audioTrackIdInfoMap = { 1: { language: 'deu', name: 'Kommentar' }, 2: { language: 'fr' } };
  const factsOf = readAudioFacts({ language: 'en', audioTrackIdInfoMap }, '?audio=en.de.es');
  expect([0, 1, 2].map((track) => factsOf(track).name)).toEqual(['English', 'Kommentar', 'español']);
  expect(readAudioFacts({ language: 'en', audioTrackIdInfoMap }, '')(1)).toEqual({ language: 'de', name: 'Kommentar' });
});

it('S34: leaves out what cannot stand in a playlist', () => {
  const name = `a"b\n#EXT-X-ENDLIST\u0000${'x'.repeat(500)}\ud800`;
  const audioTrackIdInfoMap = { 1: { language: 'x'.repeat(100), name }, 2: { language: { a: 1 }, name: 7 }, 3: 'text' };
  const factsOf = readAudioFacts({ audioTrackIdInfoMap }, '?audio=..."&audio=');
  expect(factsOf(1).language).toBe('');
  expect(factsOf(1).name).toMatch(/^ab#EXT-X-ENDLISTx{1,60}$/);
  for (const track of [2, 3, 4]) expect(factsOf(track)).toEqual({ language: '', name: '' });
  expect(readAudioFacts({ audioTrackIdInfoMap: 'text' }, '')(1).name).toBe('');
});

it('hides the descriptions of tracks from players of one track', () => {
  expect(withoutTrackMaps({ width: 1, audioTrackIdInfoMap: {}, videoTrackIdInfoMap: {} })).toEqual({ width: 1 });
});
