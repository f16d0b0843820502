import { sampleRate } from './wav.ts';

/** Seeded, so that failures can be reproduced. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const samplesOf = (ms: number) => Math.round((ms * sampleRate) / 1000);
const amplitude = (db: number) => 10 ** (db / 20);

/** Noise at a level in decibels below full scale. */
export function noise(ms: number, db: number, seed = 1): Float32Array {
  const next = random(seed);
  // Uniform noise has a third of the power of its peak.
  return Float32Array.from({ length: samplesOf(ms) }, () => next() * amplitude(db) * Math.sqrt(3));
}

/** Voice-like loudness: 130 Hz with overtones in syllables of 180 ms, each fading into the next. */
export function voice(ms: number, db: number): Float32Array {
  return Float32Array.from({ length: samplesOf(ms) }, (_, at) => {
    const seconds = at / sampleRate;
    const syllable = 0.15 + 0.85 * Math.abs(Math.sin((Math.PI * seconds) / 0.18));
    let sum = 0;
    for (let n = 1; n <= 8; n++) sum += Math.sin(2 * Math.PI * 130 * n * seconds) / n;
    return sum * syllable * amplitude(db) * 0.9;
  });
}

/** Concatenates samples. */
export function join(...pieces: readonly Float32Array[]): Float32Array {
  return Float32Array.from(pieces.flatMap((piece) => [...piece]));
}

/** Adds samples. */
export function mix(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((sample, at) => sample + (b[at] ?? 0));
}
