import { expect, it } from 'vitest';
import { readPcm, writeWav } from './wav.ts';

const pcm = Buffer.from([1, 0, 2, 0, 255, 127]);

it('reads the WAV files that it writes', () => {
  expect(readPcm(Buffer.from(writeWav(pcm)))).toEqual(pcm);
  expect(readPcm(Buffer.from(writeWav(Buffer.alloc(0))))).toHaveLength(0);
});

it.each([
  ['another rate', 24, 8],
  ['two channels', 22, 2],
  ['8 bit', 34, 8],
  ['another codec', 20, 7],
  ['a length that is not its own', 40, 4],
  ['no WAV', 0, 0],
])('refuses a file with %s', (_, at, value) => {
  const wav = Buffer.from(writeWav(pcm));
  wav[at] = value;
  expect(readPcm(wav)).toBeUndefined();
});

it('refuses a WAV file that is cut off or has half a sample', () => {
  for (const length of [0, 10, 43, 44, 47, 49])
    expect(readPcm(Buffer.from(writeWav(pcm)).subarray(0, length))).toBeUndefined();
  expect(readPcm(Buffer.from(writeWav(Buffer.alloc(3))))).toBeUndefined();
});
