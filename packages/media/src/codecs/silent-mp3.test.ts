import { expect, it } from 'vitest';
import { parseMp3Header } from './mp3.ts';
import { silentMp3 } from './silent-mp3.ts';

it.each([48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000])(
  'a frame of MP3 silence at %i Hz is as long as its header says, and has nothing in it',
  (sampleRate) => {
    for (const channels of [1, 2]) {
      const frame = silentMp3(sampleRate, channels) as Buffer;
      const header = parseMp3Header(frame);
      expect(header).toMatchObject({ sampleRate, channels, frameBytes: frame.length });
      // Side information of two channels and both halves of a frame is the longest.
      expect(frame.length).toBeGreaterThanOrEqual(4 + (header?.frameSamples === 1152 ? 32 : 17));
      expect(frame.subarray(4).every((byte) => byte === 0)).toBe(true);
    }
  },
);

it('MP3 has no silence at other sample rates, nor for more than two channels', () => {
  expect([silentMp3(96_000, 2), silentMp3(48_000, 6), silentMp3(48_000, 0)]).toEqual([undefined, undefined, undefined]);
});
