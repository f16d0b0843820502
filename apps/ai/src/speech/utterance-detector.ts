import type { Vad } from './sherpa.ts';
import { sampleRate } from './wav.ts';

/** Sample positions: start of speech, or a finished utterance. */
export type SpeechEvent = { readonly speech: number } | { readonly utterance: readonly [number, number] };

export const windowSamples = 512;
const seconds = (value: number) => Math.round(value * sampleRate);
/** Delay of the detector's start signal: its minimum speech duration plus look-back. */
const noticedAfter = 5664;
/** The detector reports the end slightly late. */
const endsEarlier = seconds(0.05);
/** Utterances without a pause are cut at the quietest point of the last seconds. */
const longest = seconds(9);
const searched = seconds(4);
const shortest = seconds(0.1);
/** Longest speech without a pause that the detector buffers before it is flushed. */
const mostKept = seconds(30);
/** The detector counts samples in 32 bits, which overflow after a day and a half. */
const countedFor = seconds(3600);

/** Cuts an endless signal into utterances. */
export class UtteranceDetector {
  readonly #vad: Vad;
  #position = 0;
  /** Offset of the detector's positions. */
  #base = 0;
  /** Start of the current utterance. */
  #open: number | undefined;
  /** End of the previous utterance. */
  #last = 0;
  /** Start of the detector's buffer. */
  #keptSince = 0;
  /** Energies of recent windows, newest last. */
  #energies: number[] = [];
  #rest: Float32Array = new Float32Array(0);

  constructor(vad: Vad) {
    this.#vad = vad;
  }

  push(samples: Float32Array): SpeechEvent[] {
    const all = new Float32Array(this.#rest.length + samples.length);
    all.set(this.#rest);
    all.set(samples, this.#rest.length);
    const events: SpeechEvent[] = [];
    let at = 0;
    for (; at + windowSamples <= all.length; at += windowSamples)
      this.#window(all.subarray(at, at + windowSamples), events);
    this.#rest = all.slice(at);
    return events;
  }

  /** Ends the input and the current utterance. */
  end(): SpeechEvent[] {
    const events: SpeechEvent[] = [];
    const heard = this.#position + this.#rest.length;
    if (this.#rest.length > 0) {
      const padded = new Float32Array(windowSamples);
      padded.set(this.#rest);
      this.#window(padded, events);
    }
    if (this.#open !== undefined) this.#close(heard, events);
    return events;
  }

  #window(window: Float32Array, events: SpeechEvent[]): void {
    this.#vad.acceptWaveform(window);
    this.#position += windowSamples;
    this.#energies.push(measureEnergy(window));
    if (this.#energies.length > searched / windowSamples) this.#energies.shift();
    for (const [start, end] of this.#finished()) {
      if (this.#open === undefined) this.#begin(start, events);
      this.#close(end - endsEarlier, events);
    }
    if (this.#vad.isDetected()) {
      if (this.#open === undefined) {
        this.#begin(this.#position - noticedAfter, events);
        this.#keptSince = this.#position;
      }
    } else if (this.#open !== undefined) this.#close(this.#position, events);
    this.#bound(events);
  }

  #begin(position: number, events: SpeechEvent[]): void {
    this.#open = Math.max(position, this.#last, 0);
    events.push({ speech: this.#open });
  }

  #close(position: number, events: SpeechEvent[]): void {
    const start = this.#open ?? position;
    const end = Math.max(position, start);
    // A reported start always gets an end, however close.
    events.push({ utterance: [start, Math.max(end, Math.min(start + shortest, this.#position))] });
    this.#open = undefined;
    this.#last = end;
  }

  /** Limits the length of utterances and of the detector's buffer. */
  #bound(events: SpeechEvent[]): void {
    if (this.#open !== undefined && this.#position - this.#open > longest) {
      const cut = this.#quietest();
      this.#close(cut, events);
      this.#begin(cut, events);
    }
    if (this.#open !== undefined && this.#position - this.#keptSince > mostKept) {
      this.#vad.flush();
      this.#finished();
      this.#keptSince = this.#position;
    }
    if (this.#open === undefined && this.#position - this.#base > countedFor) {
      this.#vad.reset();
      this.#base = this.#position;
    }
  }

  #quietest(): number {
    // Smoothed: words are briefly quiet before a t or p, while a pause spans several windows.
    const smooth = this.#energies.map((_, at) => {
      const around = this.#energies.slice(Math.max(0, at - 2), at + 3);
      return around.reduce((sum, energy) => sum + Math.sqrt(energy), 0) / around.length;
    });
    const at = smooth.indexOf(Math.min(...smooth));
    return this.#position - (this.#energies.length - at) * windowSamples + windowSamples / 2;
  }

  #finished(): [number, number][] {
    const found: [number, number][] = [];
    for (; !this.#vad.isEmpty(); this.#vad.pop()) {
      const { start, samples } = this.#vad.front(false);
      found.push([this.#base + start, this.#base + start + samples.length]);
    }
    return found;
  }
}

function measureEnergy(window: Float32Array): number {
  let sum = 0;
  for (const sample of window) sum += sample * sample;
  return sum;
}
