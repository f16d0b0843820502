import { describe, expect, it } from 'vitest';
import { logMel } from './log-mel.ts';

const frames = 1000;
const tone = (hertz: number, seconds: number) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / 16_000));
const loudestBand = (mel: Float32Array, frame: number) =>
  Array.from({ length: 80 }, (_, band) => mel[band * frames + frame] ?? 0).reduce(
    (best, value, band, all) => (value > (all[best] ?? 0) ? band : best),
    0,
  );

describe('the log-mel spectrogram', () => {
  it.each([
    [200, 4],
    [1000, 26],
    [4000, 62],
  ])('has its loudest band for a tone of %i Hz at number %i, within one', (hertz, band) => {
    expect(Math.abs(loudestBand(logMel(tone(hertz, 1), frames), 50) - band)).toBeLessThanOrEqual(1);
  });

  it('is two units above its floor where there is sound, and at the floor after the end', () => {
    const mel = logMel(tone(1000, 2), frames);
    const [loudest, last] = [mel.reduce((a, b) => Math.max(a, b)), mel[40 * frames + 900] ?? 0];
    expect(loudest - last).toBeCloseTo(2, 5);
  });
});
