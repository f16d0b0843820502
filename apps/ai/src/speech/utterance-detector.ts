import type { Vad } from './sherpa.ts';
import { sampleRate } from './wav.ts';

/** Positions in samples since the first: speech begins, or an utterance is over. */
export type SpeechEvent = { readonly speech: number } | { readonly utterance: readonly [number, number] };

export const windowSamples = 512;
const seconds = (value: number) => Math.round(value * sampleRate);
/** By how much the detector says late that speech has begun: what it waits for, and its own look-back. */
const noticedAfter = 5664;
/** It says that speech ended where its own doubt ended. */
const endsEarlier = seconds(0.05);
/** An utterance that finds no pause is cut at the quietest place of its last seconds. */
const longest = seconds(9);
const searched = seconds(4);
const shortest = seconds(0.1);
/** What the detector keeps of speech without a pause, before it is made to forget. */
const mostKept = seconds(30);
/** The detector counts samples in 32 bits, which last for a day and a half. */
const countedFor = seconds(3600);

/** Cuts a signal that has no end into utterances. */
export class UtteranceDetector {
  readonly #vad: Vad;
  #position = 0;
  /** Where the detector counts from. */
  #base = 0;
  /** Where the utterance began that goes on now. */
  #open: number | undefined;
  /** Where the last one ended. */
  #last = 0;
  /** Since when the detector keeps what it hears. */
  #keptSince = 0;
  /** Of the last windows, the newest at the end. */
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

  /** Nothing follows: what goes on is over. */
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
    // The beginning was told, so the end is told too, however near it is.
    events.push({ utterance: [start, Math.max(end, Math.min(start + shortest, this.#position))] });
    this.#open = undefined;
    this.#last = end;
  }

  /** Neither an utterance nor what the detector keeps grows without end. */
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
    // Words are quiet for a moment too, before a t or a p: a pause shows in several windows.
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
