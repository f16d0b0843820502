import type { Utterance } from '../voice-types.ts';
import { PcmRing } from './pcm-ring.ts';
import { beginLagMs, frameMs, frameSamples, SpeechDetector } from './speech-detector.ts';
import { base64Of, sampleRate, wavOf } from './wav.ts';

/** People speak a little before they press, and let go a little before they end. */
const beforeMs = 300;
const tailMs = 250;
/** Of the quiet that tells that somebody ended. A word fades for long. */
const keptQuietMs = 360;
/** Speech that is getting long is cut at the next pause, and without one at the end. */
const pauseShare = 0.75;
const pauseMs = 160;
/** Below it a microphone is muted or nobody speaks. */
const faintestDb = -55;

interface Context {
  readonly onUtterance: (utterance: Utterance) => void;
  /** Somebody begins to speak, or ended. */
  readonly onRecording: (isRecording: boolean) => void;
  readonly onLevel: (levelDb: number) => void;
  /** The assistant is heard now. */
  readonly isPlaying: () => boolean;
  readonly nowMs: () => number;
  readonly longestSeconds: number;
}

/** Makes utterances of what a microphone gives: while a key is held, or whenever somebody speaks. */
export class UtteranceRecorder {
  readonly #context: Context;
  readonly #detector = new SpeechDetector();
  readonly #ring = new PcmRing(((beforeMs + beginLagMs) * sampleRate) / 1000);
  #rest = new Float32Array(0);
  #frames: Float32Array[] = [];
  #state: 'idle' | 'held' | 'tail' | 'voice' = 'idle';
  #tailMs = 0;
  #heldMs = 0;
  #loudestDb = Number.NEGATIVE_INFINITY;
  #isHandsFree = false;
  /** Until the voice that was cancelled is over. */
  #isUnwanted = false;

  constructor(context: Context) {
    this.#context = context;
  }

  set isHandsFree(isHandsFree: boolean) {
    this.#isHandsFree = isHandsFree;
    if (!isHandsFree && this.#state === 'voice') this.#finish();
  }

  begin(): void {
    const { onRecording } = this.#context;
    const before = this.#state;
    this.#state = 'held';
    if (before !== 'idle') return;
    this.#start(beforeMs);
    onRecording(true);
  }

  end(): void {
    if (this.#state !== 'held') return;
    this.#state = 'tail';
    this.#tailMs = 0;
  }

  /** Forgets what is being said. */
  cancel(): void {
    if (this.#state === 'idle') return;
    this.#state = 'idle';
    this.#isUnwanted = true;
    this.#frames = [];
    this.#context.onRecording(false);
  }

  /** The microphone is closed: what was said until now is all there will be. */
  flush(): void {
    if (this.#state !== 'idle') this.#finish();
  }

  /** At 16 kHz. */
  push(samples: Float32Array): void {
    const joined = new Float32Array(this.#rest.length + samples.length);
    joined.set(this.#rest);
    joined.set(samples, this.#rest.length);
    let at = 0;
    for (; at + frameSamples <= joined.length; at += frameSamples) this.#take(joined.slice(at, at + frameSamples));
    this.#rest = joined.slice(at);
  }

  #take(frame: Float32Array): void {
    const { isPlaying, onLevel, onRecording } = this.#context;
    this.#detector.push(frame, isPlaying());
    const { isSpeaking, levelDb } = this.#detector;
    onLevel(levelDb);
    this.#isUnwanted &&= isSpeaking;
    if (this.#state === 'idle') {
      this.#ring.push(frame);
      if (!isSpeaking || this.#isUnwanted || !this.#isHandsFree) return;
      this.#state = 'voice';
      this.#start(beforeMs + beginLagMs);
      onRecording(true);
      return;
    }
    this.#frames.push(frame);
    this.#loudestDb = Math.max(this.#loudestDb, levelDb);
    if (this.#state === 'tail') {
      this.#tailMs += frameMs;
      if (this.#tailMs >= tailMs) this.#finish();
    } else {
      this.#heldMs += frameMs;
      if (this.#state === 'voice' && !isSpeaking) this.#finish();
      else if (this.#isLong()) this.#give();
    }
  }

  #isLong(): boolean {
    const seconds = (this.#frames.length * frameMs) / 1000;
    const { longestSeconds } = this.#context;
    return seconds >= longestSeconds || (seconds >= pauseShare * longestSeconds && this.#detector.quietMs >= pauseMs);
  }

  #start(ms: number): void {
    this.#frames = [this.#ring.take((ms * sampleRate) / 1000)];
    this.#heldMs = 0;
    this.#loudestDb = this.#detector.levelDb;
  }

  #finish(): void {
    const wasVoice = this.#state === 'voice';
    this.#state = 'idle';
    if (wasVoice) this.#dropQuiet();
    this.#give();
    this.#context.onRecording(false);
  }

  /** What was cut off is still the time before the next utterance. */
  #dropQuiet(): void {
    const surplus = Math.floor((this.#detector.quietMs - keptQuietMs) / frameMs);
    if (surplus <= 0) return;
    for (const frame of this.#frames.splice(-surplus)) this.#ring.push(frame);
  }

  #give(): void {
    const { nowMs, onUtterance } = this.#context;
    const samples = joined(this.#frames);
    const [heldMs, hasVoice] = [this.#heldMs, this.#loudestDb >= faintestDb];
    this.#frames = [];
    this.#heldMs = 0;
    this.#loudestDb = Number.NEGATIVE_INFINITY;
    if (samples.length === 0) return;
    onUtterance({
      audio: base64Of(wavOf(samples)),
      seconds: samples.length / sampleRate,
      heldMs,
      hasVoice,
      endedAtMs: nowMs() - Math.min(this.#detector.quietMs, (1000 * samples.length) / sampleRate),
    });
  }
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
