import type { VoiceActivity, VoiceListener } from './voice-activity.ts';
import { voiceTimes } from './voice-activity.ts';

/** A hundredth of a second. */
const frameSamples = 160;
/** Above the noise by this much is a voice. */
const aboveNoiseDb = 9;
/** A quiet spot within speech is this much below how loud it is. */
const quietBelowDb = 12;
const quietestVoiceDb = -52;
/** The noise is what is left between words: it falls at once and rises slowly, so that a long word is not taken for it. */
const noiseRisePerFrameDb = 0.02;
const loudestNoiseDb = -25;
/** Frames of the last tenth of a second; speech begins when most of them are loud. */
const recentFrames = 8;
const loudToBegin = 4;
/** Until the noise of a place is known at all. */
const settleSamples = 3200;
/** Silence kept behind an utterance. */
const tailSamples = 1600;
/** Words are quiet for a moment too, before a t or a p: a pause is longer. */
const quietFrames = 12;
/** Range in which a forced cut looks for the quietest position. */
const lookBackFrames = 300;

/** Voice activity by loudness over an adaptive noise floor: needs nothing but arithmetic. */
export class EnergyDetector implements VoiceActivity {
  readonly #listener: VoiceListener;
  #rest: Buffer = Buffer.alloc(0);
  /** Samples in whole frames so far. */
  #at = 0;
  #noiseDb = -50;
  #voiceDb = -30;
  #recent: boolean[] = [];
  /** Levels of the last frames of the open utterance. */
  #levels: number[] = [];
  #start: number | undefined;
  #lead = 0;
  #lastLoud = 0;
  #loudSamples = 0;
  #toldUntil = 0;

  constructor(listener: VoiceListener) {
    this.#listener = listener;
  }

  get decidedUntil(): number {
    return this.#start ?? Math.max(this.#toldUntil, this.#at - voiceTimes.preRoll - recentFrames * frameSamples);
  }

  get openFrom(): number | undefined {
    return this.#start;
  }

  get openLead(): number {
    return this.#lead;
  }

  push(pcm: Buffer): void {
    const bytes = this.#rest.length === 0 ? pcm : Buffer.concat([this.#rest, pcm]);
    const frameBytes = frameSamples * 2;
    let at = 0;
    for (; at + frameBytes <= bytes.length; at += frameBytes) this.#frame(levelDb(bytes, at));
    this.#rest = Buffer.from(bytes.subarray(at));
  }

  cut(): void {
    this.#end(this.#at);
    this.#recent = [];
    this.#toldUntil = this.#at;
  }

  close(): void {
    this.#start = undefined;
  }

  /**
   * Takes over from another detector, which reported everything before `from` and an utterance that is open since
   * `open`.
   */
  resume(from: number, open: number | undefined): void {
    this.#toldUntil = from;
    if (open === undefined || open < from) {
      if (this.#start === undefined || this.#start >= from) return;
      this.#lead = Math.max(0, this.#start + this.#lead - from);
      this.#start = from;
      // The end of a span that was already reported is not reported as a span.
      this.#loudSamples = Math.min(this.#loudSamples, Math.max(0, this.#lastLoud - from));
      return;
    }
    if (this.#start === undefined) {
      this.#levels = [];
      this.#lastLoud = this.#at;
    }
    this.#start = open;
    this.#lead = 0;
    this.#loudSamples = Math.max(this.#loudSamples, voiceTimes.leastSpeech);
  }

  #frame(db: number): void {
    this.#noiseDb = Math.min(loudestNoiseDb, this.#noiseAfter(db));
    const isLoud = db > Math.max(quietestVoiceDb, this.#noiseDb + aboveNoiseDb);
    this.#at += frameSamples;
    if (this.#at < settleSamples) return;
    this.#recent.push(isLoud);
    if (this.#recent.length > recentFrames) this.#recent.shift();
    if (isLoud) {
      this.#lastLoud = this.#at;
      this.#loudSamples += frameSamples;
      this.#voiceDb += (db - this.#voiceDb) / 20;
    }
    if (this.#start === undefined) this.#maybeBegin();
    else this.#maybeEnd(this.#start, db);
  }

  /** The first moments set the noise floor, because nothing else is known yet. */
  #noiseAfter(db: number): number {
    if (this.#at < settleSamples) return this.#at === 0 ? db : Math.min(this.#noiseDb, db);
    return db < this.#noiseDb ? (this.#noiseDb + db) / 2 : this.#noiseDb + noiseRisePerFrameDb;
  }

  #maybeBegin(): void {
    if (this.#recent.filter(Boolean).length < loudToBegin) return;
    const begins = this.#at - this.#recent.length * frameSamples;
    this.#start = Math.max(this.#toldUntil, begins - voiceTimes.preRoll);
    this.#lead = Math.max(0, begins - this.#start);
    this.#levels = [];
    this.#loudSamples = this.#recent.filter(Boolean).length * frameSamples;
  }

  #maybeEnd(start: number, db: number): void {
    this.#levels.push(db);
    if (this.#levels.length > lookBackFrames) this.#levels.shift();
    const spoken = this.#at - start;
    // Some of the silence stays: recognisers expect it. All of it would make the text stand too long.
    if (this.#at - this.#lastLoud >= voiceTimes.hangover) this.#end(this.#at, this.#lastLoud + tailSamples);
    else if (spoken >= voiceTimes.hardCut) this.#end(this.#at - this.#framesSinceQuietest() * frameSamples);
    else if (spoken >= voiceTimes.mostSpeech && this.#isQuietSpot()) this.#end(this.#at);
  }

  /** Audio after a hard cut belongs to the next utterance. */
  #end(end: number, told = end): void {
    const start = this.#start;
    this.#start = undefined;
    if (start === undefined) return;
    if (this.#loudSamples >= voiceTimes.leastSpeech) {
      this.#toldUntil = end;
      this.#listener.onUtterance(start, told, this.#lead);
    }
    if (end < this.#at) {
      this.#start = end;
      this.#lead = 0;
      this.#loudSamples = this.#at - end;
      this.#levels = this.#levels.slice(-Math.round((this.#at - end) / frameSamples));
    } else this.#recent = [];
  }

  #isQuietSpot(): boolean {
    const last = this.#levels.slice(-quietFrames);
    return last.every((db) => db < this.#voiceDb - quietBelowDb);
  }

  #framesSinceQuietest(): number {
    // Over some frames: one quiet sample in a vowel is no pause.
    const smooth = this.#levels.map((_, at) => Math.max(...this.#levels.slice(Math.max(0, at - 2), at + 3)));
    return this.#levels.length - 1 - smooth.lastIndexOf(Math.min(...smooth));
  }
}

/** Relative to the loudest there can be. */
function levelDb(bytes: Buffer, at: number): number {
  let sum = 0;
  for (let n = 0; n < frameSamples; n++) {
    const sample = bytes.readInt16LE(at + n * 2) / 32768;
    sum += sample * sample;
  }
  return 10 * Math.log10(sum / frameSamples + 1e-10);
}
