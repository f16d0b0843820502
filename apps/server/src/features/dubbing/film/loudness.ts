/** Samples in a hundredth of a second of mono audio at 16 kHz. */
const frameSamples = 160;
export const framesPerSecond = 100;
const frameBytes = frameSamples * 2;
/** Scale of levels: 0 is silence, 255 the loudest sound that is possible, and a step is half a decibel. */
const stepsPerDb = 2;
const quietestDb = -127.5;

/** Measures PCM as it comes: one byte for each hundredth of a second, so an hour is 360 KB. */
export class LoudnessMeter {
  #levels = Buffer.alloc(64 * 1024);
  #count = 0;
  #rest: Buffer = Buffer.alloc(0);

  push(pcm: Buffer): void {
    const bytes = this.#rest.length === 0 ? pcm : Buffer.concat([this.#rest, pcm]);
    let at = 0;
    for (; at + frameBytes <= bytes.length; at += frameBytes) this.#add(levelAt(bytes, at));
    this.#rest = Buffer.from(bytes.subarray(at));
  }

  get levels(): Uint8Array {
    return this.#levels.subarray(0, this.#count);
  }

  #add(level: number): void {
    if (this.#count === this.#levels.length) {
      const larger = Buffer.alloc(this.#levels.length * 2);
      this.#levels.copy(larger);
      this.#levels = larger;
    }
    this.#levels[this.#count] = level;
    this.#count += 1;
  }
}

function levelAt(bytes: Buffer, at: number): number {
  let sum = 0;
  for (let n = 0; n < frameBytes; n += 2) {
    const sample = bytes.readInt16LE(at + n) / 32768;
    sum += sample * sample;
  }
  const db = 10 * Math.log10(sum / frameSamples + 1e-13);
  return Math.max(0, Math.round((db - quietestDb) * stepsPerDb));
}

/** Reduces levels to the loudest of every few, for a waveform. */
export function toPeaks(levels: Uint8Array, perSecond: number): Uint8Array {
  const step = framesPerSecond / perSecond;
  const peaks = new Uint8Array(Math.ceil(levels.length / step));
  for (const [at, level] of levels.entries()) {
    const place = Math.floor(at / step);
    if (level > (peaks[place] ?? 0)) peaks[place] = level;
  }
  return peaks;
}

/** Threshold for a voice in this video: between quiet and loud passages, closer to the quiet ones. */
export function voiceLevel(levels: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const level of levels) counts[level] = (counts[level] ?? 0) + 1;
  const at = (share: number) => {
    let left = levels.length * share;
    return counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
  };
  const [quiet, loud] = [Math.max(0, at(0.1)), Math.max(0, at(0.95))];
  // Levels below -60 dB never count as a voice.
  return Math.max((-60 - quietestDb) * stepsPerDb, quiet + (loud - quiet) * 0.35);
}

/** Returns the middle of the longest pause between two seconds of a film; undefined if there is none. */
export function longestPause(levels: Uint8Array, from: number, to: number): number | undefined {
  const threshold = voiceLevel(levels);
  let [best, bestLength] = [0, 0];
  let began: number | undefined;
  const last = Math.min(levels.length, Math.round(to * framesPerSecond));
  for (let at = Math.max(0, Math.round(from * framesPerSecond)); at <= last; at++) {
    const isQuiet = at < last && (levels[at] ?? 0) < threshold;
    if (isQuiet) began ??= at;
    else if (began !== undefined) {
      if (at - began > bestLength) [best, bestLength] = [began, at - began];
      began = undefined;
    }
  }
  return bestLength < shortestPause ? undefined : (best + bestLength / 2) / framesPerSecond;
}

/** Shortest pause in frames. Consonants are shorter. */
const shortestPause = 12;
/** Largest distance between the start of speech and the time a recogniser reports for it. */
const reachSeconds = 0.4;
/** Frames that are loud one after the other where a speech begins; a click is shorter. */
const steadyFrames = 4;

/** Finds the onset nearest to this second, or returns the second itself. */
export function onsetNear(levels: Uint8Array, second: number, threshold = voiceLevel(levels)): number {
  const middle = Math.round(second * framesPerSecond);
  const reach = reachSeconds * framesPerSecond;
  let nearest: number | undefined;
  for (let at = Math.max(0, middle - reach); at <= Math.min(levels.length - steadyFrames, middle + reach); at++) {
    if (!isOnset(levels, at, threshold)) continue;
    if (nearest === undefined || Math.abs(at - middle) < Math.abs(nearest - middle)) nearest = at;
  }
  return nearest === undefined ? second : nearest / framesPerSecond;
}

function isOnset(levels: Uint8Array, at: number, threshold: number): boolean {
  for (let back = 1; back <= steadyFrames && at - back >= 0; back++) {
    if ((levels[at - back] ?? 0) >= threshold) return false;
  }
  for (let ahead = 0; ahead < steadyFrames; ahead++) {
    if ((levels[at + ahead] ?? 0) < threshold) return false;
  }
  return true;
}
