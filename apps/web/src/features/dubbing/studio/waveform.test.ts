import { expect, it } from 'vitest';
import { columnHeights, snapToVoice, type WaveformPeaks } from './waveform.tsx';

/** Ten seconds with speech from 2 to 4 and from 6 to 6.5. */
const wave: WaveformPeaks = {
  peaks: Uint8Array.from({ length: 500 }, (_, n) => ((n >= 100 && n < 200) || (n >= 300 && n < 325) ? 220 : 120)),
  perSecond: 50,
  voice: 160,
};

it.each([
  ['start', 1.9, 2],
  ['start', 2.2, 2],
  ['start', 2.4, 2.4],
  ['end', 3.8, 4],
  ['end', 4.2, 4],
  ['end', 4.4, 4.4],
  // The end of a group never snaps to the start of speech.
  ['end', 5.9, 5.9],
  ['end', 6.4, 6.5],
] as const)('snaps a %s near %f s to %f s', (border, seconds, place) => {
  expect(snapToVoice(seconds, border, wave)).toBeCloseTo(place, 5);
});

it('draws the loudest sample of each column at every zoom', () => {
  const narrow = columnHeights(wave, 0, 20, 2);
  expect(narrow.map((height) => height > 0)).toEqual(
    Array.from({ length: 20 }, (_, x) => (x >= 4 && x < 8) || x === 12),
  );
  const wide = columnHeights(wave, 1.9, 40, 200);
  expect(wide.map((height) => height > 0)).toEqual(Array.from({ length: 40 }, (_, x) => x >= 20));
  expect(columnHeights({ ...wave, peaks: new Uint8Array(0) }, 0, 3, 50)).toEqual([0, 0, 0]);
});
