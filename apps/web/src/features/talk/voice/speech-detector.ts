import { sampleRate } from './wav.ts';

export const frameMs = 20;
export const frameSamples = (sampleRate * frameMs) / 1000;

/** Decibels above the noise where a voice begins, and where one that is heard goes on: the end of a word is quieter than its begin. */
const beginDb = 10;
const goesOnDb = 5;
/** What is left of the assistant's own voice after echo cancellation must not pass for a person's, who speaks up to interrupt. */
const whilePlayingDb = 9;
/** Noise is never taken to be quieter: browsers that suppress it hand out near silence, in which a breath would be loud. */
const quietestDb = -62;
/** Before there is anything to compare with: a street is quieter, whoever speaks at once is louder. */
const unknownDb = -46;
const silenceDb = -100;
/** The quietest moment of so long is noise: in speech there is one between words, in a fan there is none. */
const noiseWindowFrames = 25;
const noiseWindows = 6;
const smoothFrames = 3;

/** Frames with voice out of the latest ones. A click or a key of a keyboard is shorter. */
const begin = { voiced: 6, of: 8 };
const beginWhilePlaying = { voiced: 12, of: 16 };
/** A pause within a sentence is shorter. */
const hangoverMs = 600;

/** The longest time from the first sound of a voice until it is known to be one. */
export const beginLagMs = beginWhilePlaying.of * frameMs;

/** Finds where somebody speaks: loudness against a floor that follows the noise of the place. */
export class SpeechDetector {
  #powers: number[] = [];
  #window = 0;
  /** The quietest of each of the last windows. */
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

  /** How loud the latest moment was, in decibels below full scale. */
  get levelDb(): number {
    return this.#levelDb;
  }

  /** Since the last frame with a voice. */
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

  /** Mean square without what is below 80 Hz: hum, wind and a microphone that is not centred. */
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
