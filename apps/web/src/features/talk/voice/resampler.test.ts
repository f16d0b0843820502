import { expect, it } from 'vitest';
import { Resampler } from './resampler.ts';

const tone = (hertz: number, rate: number, seconds: number) =>
  Float32Array.from({ length: rate * seconds }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / rate));

function resample(samples: Float32Array, from: number, piece = 1024): number[] {
  const resampler = new Resampler(from, 16_000);
  const made: number[] = [];
  for (let at = 0; at < samples.length; at += piece) made.push(...resampler.push(samples.subarray(at, at + piece)));
  return made;
}

const power = (samples: readonly number[]) => samples.reduce((sum, each) => sum + each * each, 0) / samples.length;

it.each([48_000, 44_100, 16_000, 8000])('keeps the pitch of a tone from %d Hz', (rate) => {
  const made = resample(tone(1000, rate, 1), rate);
  const meant = tone(1000, 16_000, 1);
  expect(Math.abs(made.length - 16_000)).toBeLessThan(40);
  const middle = made.slice(1000, 15_000);
  expect(Math.max(...middle.map((sample, at) => Math.abs(sample - (meant[at + 1000] ?? 0))))).toBeLessThan(0.01);
});

it.each([48_000, 44_100])('suppresses aliasing at %d Hz', (rate) => {
  expect(10 * Math.log10(power(resample(tone(11_000, rate, 1), rate).slice(500)))).toBeLessThan(-50);
});

it('gives the same output for chunks of every size', () => {
  const sound = tone(440, 44_100, 0.2);
  const [small, large] = [resample(sound, 44_100, 128), resample(sound, 44_100, 4096)];
  expect(small.length).toBe(large.length);
  expect(Math.max(...small.map((sample, at) => Math.abs(sample - (large[at] ?? 0))))).toBeLessThan(1e-6);
});
