import { expect, it } from 'vitest';
import { join, mix, noise, voice } from './sounds.fixture.ts';
import { frameMs, frameSamples, SpeechDetector } from './speech-detector.ts';

/** Finds the start and end of speech in milliseconds. */
function spoken(samples: Float32Array, isPlaying: (ms: number) => boolean = () => false): [number, number][] {
  const detector = new SpeechDetector();
  const found: [number, number][] = [];
  for (let at = 0; at + frameSamples <= samples.length; at += frameSamples) {
    const [before, ms] = [detector.isSpeaking, ((at + frameSamples) * frameMs) / frameSamples];
    detector.push(samples.subarray(at, at + frameSamples), isPlaying(ms));
    if (detector.isSpeaking && !before) found.push([ms, Number.POSITIVE_INFINITY]);
    const last = found.at(-1);
    if (before && !detector.isSpeaking && last) last[1] = ms;
  }
  return found;
}

it.each([
  ['a silent studio', -90],
  ['a living room', -55],
  ['a street', -42],
])('finds the start and end of speech in %s', (_, db) => {
  const place = noise(8000, db);
  const samples = mix(place, join(new Float32Array(48_000), voice(1500, -22), new Float32Array(40_000)));
  const [[from, to] = [0, 0], ...others] = spoken(samples);
  expect(others).toEqual([]);
  expect(from).toBeGreaterThanOrEqual(3000);
  expect(from).toBeLessThanOrEqual(3240);
  // Not before a pause as long as one between words.
  expect(to).toBeGreaterThanOrEqual(4500 + 500);
  expect(to).toBeLessThanOrEqual(4500 + 760);
});

it('detects speech right after the microphone was opened', () => {
  expect(spoken(mix(voice(1000, -25), noise(1000, -60)))[0]?.[0]).toBeLessThanOrEqual(240);
});

it('ignores clicks, silence and steady noise', () => {
  const click = join(noise(15, -12), new Float32Array(16_000 - 240));
  expect(spoken(mix(join(click, click, click, click), noise(4000, -60)))).toEqual([]);
  expect(spoken(new Float32Array(160_000))).toEqual([]);
  expect(spoken(noise(10_000, -50))).toEqual([]);
});

it('adapts to a fan that was switched on', () => {
  const found = spoken(join(noise(4000, -65), noise(12_000, -38)));
  expect(found).toHaveLength(1);
  expect(found[0]?.[1]).toBeLessThanOrEqual(8500);
});

it('keeps a sentence together over its pauses', () => {
  const pause = new Float32Array(6400);
  const sentence = join(voice(700, -25), pause, voice(500, -30), pause, voice(600, -28), new Float32Array(24_000));
  expect(spoken(mix(join(new Float32Array(8000), sentence), noise(6000, -58)))).toHaveLength(1);
});

it('ignores the echo of playback, but detects an interruption', () => {
  const echo = voice(4000, -42);
  const place = noise(8000, -65);
  const whilePlaying = () => true;
  expect(spoken(mix(place, join(new Float32Array(32_000), echo)), whilePlaying)).toEqual([]);
  expect(spoken(mix(place, join(new Float32Array(32_000), echo)))).not.toEqual([]);
  const loud = spoken(mix(place, join(new Float32Array(32_000), voice(1500, -22))), whilePlaying);
  expect(loud[0]?.[0]).toBeLessThanOrEqual(2500);
});
