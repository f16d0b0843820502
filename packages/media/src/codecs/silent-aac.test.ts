import { expect, it } from 'vitest';
import { silentAac } from './silent-aac.ts';
import { isSilentAudio } from './silent-audio.ts';

it.each([1, 2, 3, 4, 5, 6, 8])('a frame of silence for %i channels is recognised as silence', (channels) => {
  const frame = silentAac(channels);
  expect(frame).toBeDefined();
  expect(isSilentAudio('aac', frame as Buffer)).toBe(true);
});

it('a number of channels without a configuration has no silence', () => {
  expect([0, 7, 9, 24].map(silentAac)).toEqual([undefined, undefined, undefined, undefined]);
});
