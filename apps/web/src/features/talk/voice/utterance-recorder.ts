import { beginLagMs, frameMs, frameSamples, SpeechDetector } from './speech-detector.ts';
import type { OpenSpeech, RecordedUtterance } from './voice-types.ts';
import { encodeBase64, encodeWav, sampleRate } from './wav.ts';

/** People speak a little before they press, and let go a little before they end. */
const beforeMs = 300;
const tailMs = 250;
/** Of the quiet that tells that somebody ended. A word fades for long. */
const keptQuietMs = 360;
/** Speech that is getting long is cut at the next pause, and without one at the end. */
const pauseShare = 0.75;
const pauseMs = 160;
/** Speech that goes on is looked at as often. */
const reportMs = 1000;
/** While the key is held a sentence seems to be over after that. */
const sentenceMs = 500;
/** Below it a microphone is muted or nobody speaks. */
const faintestDb = -55;

interface Context {
  readonly onUtterance: (utterance: RecordedUtterance) => void;
  /** Somebody begins to speak, or ended. */
  readonly onRecording: (isRecording: boolean) => void;
  /** There is more of what is being said. */
  readonly onOpen?: (speech: OpenSpeech) => void;
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
  readonly #ring = new PcmRingBuffer(((beforeMs + beginLagMs) * sampleRate) / 1000);
  #rest = new Float32Array(0);
  #frames: Float32Array[] = [];
  /** How loud each of them is. */
  #levels: number[] = [];
  /** Which utterance this is. */
  #count = 0;
  /** Frames before it were settled: nobody looks at them again. */
  #transcribedFrames = 0;
  #sinceReportMs = 0;
  /** After so many of them somebody spoke last. */
  #voiced = 0;
  #state: 'idle' | 'held' | 'tail' | 'voice' = 'idle';
  #tailMs = 0;
  #heldMs = 0;
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
    this.#reset();
    this.#context.onRecording(false);
  }

  /** The microphone is closed: what was said until now is all there will be. */
  flush(): void {
    if (this.#state !== 'idle') this.#finish();
  }

  /** So far it is known what was said. Understood for good, it need not be given out any more. */
  markTranscribed({ utterance, frames }: OpenSpeech, isUnderstood: boolean): void {
    if (utterance !== this.#count || this.#state === 'idle') return;
    if (!isUnderstood) this.#transcribedFrames += frames;
    else {
      for (const kept of [this.#frames, this.#levels]) kept.splice(0, frames);
      this.#voiced -= frames;
    }
  }

  /** At 16 kHz. */
  push(samples: Float32Array): void {
    const joined = new Float32Array(this.#rest.length + samples.length);
    joined.set(this.#rest);
    joined.set(samples, this.#rest.length);
    let at = 0;
    for (; at + frameSamples <= joined.length; at += frameSamples)
      this.#processFrame(joined.slice(at, at + frameSamples));
    this.#rest = joined.slice(at);
  }

  #processFrame(frame: Float32Array): void {
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
    this.#levels.push(levelDb);
    if (this.#state === 'tail') {
      this.#tailMs += frameMs;
      if (this.#tailMs >= tailMs) this.#finish();
    } else {
      this.#heldMs += frameMs;
      if (this.#state === 'voice' && !isSpeaking) this.#finish();
      else if (this.#isLong()) this.#emitUtterance();
      else this.#reportOpenSpeech(isSpeaking);
    }
  }

  /** Hands-free, a sentence that is over is an utterance. */
  #reportOpenSpeech(isSpeaking: boolean): void {
    const { onOpen } = this.#context;
    const { quietMs } = this.#detector;
    if (isSpeaking && quietMs === 0) this.#voiced = this.#frames.length;
    this.#sinceReportMs += frameMs;
    const isPause = this.#state === 'held' && quietMs >= sentenceMs;
    const isDue = this.#sinceReportMs >= reportMs || (isPause && quietMs === sentenceMs);
    if (!onOpen || !isDue || this.#voiced <= this.#transcribedFrames) return;
    this.#sinceReportMs = 0;
    const open = this.#frames.slice(this.#transcribedFrames);
    onOpen({
      utterance: this.#count,
      frames: open.length,
      seconds: (open.length * frameMs) / 1000,
      isPause,
      audio: () => encodeBase64(encodeWav(concat(open))),
    });
  }

  #isLong(): boolean {
    const seconds = (this.#frames.length * frameMs) / 1000;
    const { longestSeconds } = this.#context;
    return seconds >= longestSeconds || (seconds >= pauseShare * longestSeconds && this.#detector.quietMs >= pauseMs);
  }

  #start(ms: number): void {
    this.#reset();
    this.#frames = [this.#ring.drain((ms * sampleRate) / 1000)];
    this.#levels = [this.#detector.levelDb];
    this.#voiced = this.#state === 'voice' ? 1 : 0;
  }

  /** Another utterance begins. */
  #reset(): void {
    [this.#frames, this.#levels, this.#transcribedFrames] = [[], [], 0];
    [this.#heldMs, this.#sinceReportMs, this.#voiced] = [0, 0, 0];
    this.#count += 1;
  }

  #finish(): void {
    const wasVoice = this.#state === 'voice';
    this.#state = 'idle';
    if (wasVoice) this.#trimSilence();
    this.#emitUtterance();
    this.#context.onRecording(false);
  }

  /** What was cut off is still the time before the next utterance. */
  #trimSilence(): void {
    const surplus = Math.floor((this.#detector.quietMs - keptQuietMs) / frameMs);
    if (surplus <= 0) return;
    for (const frame of this.#frames.splice(-surplus)) this.#ring.push(frame);
    this.#levels.splice(-surplus);
  }

  #emitUtterance(): void {
    const { nowMs, onUtterance } = this.#context;
    const samples = concat(this.#frames);
    const heldMs = this.#heldMs;
    const hasVoice = this.#levels.some((levelDb) => levelDb >= faintestDb);
    this.#reset();
    onUtterance({
      audio: encodeBase64(encodeWav(samples)),
      seconds: samples.length / sampleRate,
      heldMs,
      hasVoice,
      endedAtMs: nowMs() - Math.min(this.#detector.quietMs, (1000 * samples.length) / sampleRate),
    });
  }
}

function concat(pieces: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The newest samples, as many as fit: what somebody said just before it was asked for. */
export class PcmRingBuffer {
  readonly #samples: Float32Array;
  #at = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#samples = new Float32Array(capacity);
  }

  push(samples: Float32Array): void {
    const capacity = this.#samples.length;
    const newest = samples.length > capacity ? samples.subarray(samples.length - capacity) : samples;
    const untilEnd = Math.min(newest.length, capacity - this.#at);
    this.#samples.set(newest.subarray(0, untilEnd), this.#at);
    this.#samples.set(newest.subarray(untilEnd), 0);
    this.#at = (this.#at + newest.length) % capacity;
    this.#length = Math.min(capacity, this.#length + newest.length);
  }

  /** The newest of it, oldest first, at most so many; nothing is left. */
  drain(most: number): Float32Array {
    const taken = new Float32Array(Math.min(most, this.#length));
    const start = (this.#at - taken.length + this.#samples.length) % this.#samples.length;
    const untilEnd = Math.min(taken.length, this.#samples.length - start);
    taken.set(this.#samples.subarray(start, start + untilEnd));
    taken.set(this.#samples.subarray(0, taken.length - untilEnd), untilEnd);
    this.#length = 0;
    return taken;
  }
}
