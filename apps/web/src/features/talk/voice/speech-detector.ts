import { sampleRate } from './wav.ts';

export const frameMs = 20;
export const frameSamples = (sampleRate * frameMs) / 1000;

/** Decibels above the noise from which speech begins, and from which it continues: words end more quietly than they begin. */
const beginDb = 10;
const goesOnDb = 5;
/**
 * Extra margin during playback, so that the echo of the assistant does not count as speech. People who interrupt speak
 * up.
 */
const whilePlayingDb = 9;
/** Lowest noise level assumed: browsers with noise suppression output near silence, in which a breath would be loud. */
const quietestDb = -62;
/** Initial noise level: a street is quieter, immediate speech is louder. */
const unknownDb = -46;
const silenceDb = -100;
/** Length of the window whose quietest moment counts as noise: speech has pauses between words, a fan has none. */
const noiseWindowFrames = 25;
const noiseWindows = 6;
const smoothFrames = 3;

/** Voiced frames required out of the latest ones. A click or a key press is shorter. */
const begin = { voiced: 6, of: 8 };
const beginWhilePlaying = { voiced: 12, of: 16 };
/** Silence that ends speech. Pauses within a sentence are shorter. */
const hangoverMs = 600;

/** Longest time from the start of speech until it is detected. */
export const beginLagMs = beginWhilePlaying.of * frameMs;

/** Detects speech by loudness above an adaptive noise floor. */
export class SpeechDetector {
  #powers: number[] = [];
  #window = 0;
  /** Minimum of each of the last windows. */
  #quietest: number[] = Array(noiseWindows).fill(unknownDb);
  #current = Number.POSITIVE_INFINITY;
  #recent: boolean[] = [];
  #isSpeaking = false;
  #quietMs = 0;
  #levelDb = silenceDb;
  #lowPass = 0;

  get isSpeaking(): boolean {
    return this.#isSpeaking;
  }

  /** Current level in decibels below full scale. */
  get levelDb(): number {
    return this.#levelDb;
  }

  /** Time since the last voiced frame. */
  get quietMs(): number {
    return this.#quietMs;
  }

  push(frame: Float32Array, isPlaying: boolean): void {
    this.#levelDb = this.#smooth(this.#powerOf(frame));
    const above = this.#levelDb - this.#noiseDb() - (isPlaying ? whilePlayingDb : 0);
    this.#follow(this.#levelDb);
    const isVoice = above >= (this.#isSpeaking ? goesOnDb : beginDb);
    this.#quietMs = isVoice ? 0 : this.#quietMs + frameMs;
    const needed = isPlaying ? beginWhilePlaying : begin;
    this.#recent = [...this.#recent, isVoice].slice(-beginWhilePlaying.of);
    if (this.#isSpeaking) this.#isSpeaking = this.#quietMs < hangoverMs;
    else this.#isSpeaking = this.#recent.slice(-needed.of).filter(Boolean).length >= needed.voiced;
  }

  /** Mean square without frequencies below 80 Hz: hum, wind and a DC offset. */
  #powerOf(frame: Float32Array): number {
    let sum = 0;
    for (const sample of frame) {
      this.#lowPass += 0.031 * (sample - this.#lowPass);
      sum += (sample - this.#lowPass) ** 2;
    }
    return sum / frame.length;
  }

  #smooth(power: number): number {
    this.#powers = [...this.#powers, power].slice(-smoothFrames);
    const mean = this.#powers.reduce((sum, each) => sum + each, 0) / this.#powers.length;
    return mean === 0 ? silenceDb : Math.max(silenceDb, 10 * Math.log10(mean));
  }

  #noiseDb(): number {
    return Math.max(quietestDb, Math.min(...this.#quietest, this.#current));
  }

  #follow(levelDb: number): void {
    this.#current = Math.min(this.#current, levelDb);
    this.#window += 1;
    if (this.#window < noiseWindowFrames) return;
    this.#quietest = [...this.#quietest.slice(1), this.#current];
    this.#current = Number.POSITIVE_INFINITY;
    this.#window = 0;
  }
}
