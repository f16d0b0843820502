import { SampleRing } from '@weir/media/sample-ring';
import { encodeWav } from '@weir/media/wav';
import { beginLagMs, frameMs, frameSamples, SpeechDetector } from './speech-detector.ts';
import type { OpenSpeech, RecordedUtterance } from './voice-types.ts';
import { encodeBase64, sampleRate } from './wav.ts';

/** People start speaking before they press, and release before they finish. */
const beforeMs = 300;
const tailMs = 250;
/** Silence kept at the end, because words fade slowly. */
const keptQuietMs = 360;
/** Long speech is cut at the next pause, or at the limit. */
const pauseShare = 0.75;
const pauseMs = 160;
/** Interval of the reports of ongoing speech. */
const reportMs = 1000;
/** Pause that seems to end a sentence while the key is held. */
const sentenceMs = 500;
/** Below this level the microphone is muted or nobody speaks. */
const faintestDb = -55;

interface Context {
  readonly onUtterance: (utterance: RecordedUtterance) => void;
  /** Called when recording starts or ends. */
  readonly onRecording: (isRecording: boolean) => void;
  /** Called with the speech so far. */
  readonly onOpen?: (speech: OpenSpeech) => void;
  readonly onLevel: (levelDb: number) => void;
  /** The assistant is audible now. */
  readonly isPlaying: () => boolean;
  readonly nowMs: () => number;
  readonly longestSeconds: number;
}

/** Cuts microphone samples into utterances: while a key is held, or when speech is detected. */
export class UtteranceRecorder {
  readonly #context: Context;
  readonly #detector = new SpeechDetector();
  /** Samples before an utterance. */
  readonly #ring = new SampleRing<Float32Array>(new Float32Array(((beforeMs + beginLagMs) * sampleRate) / 1000));
  /** End of the samples that an earlier utterance began with. */
  #drained = 0;
  #rest = new Float32Array(0);
  #frames: Float32Array[] = [];
  /** Level of each frame. */
  #levels: number[] = [];
  /** Number of the current utterance. */
  #count = 0;
  /** Frames that are recognized and not reported again. */
  #transcribedFrames = 0;
  #sinceReportMs = 0;
  /** Number of frames up to the last voiced one. */
  #voiced = 0;
  #state: 'idle' | 'held' | 'tail' | 'voice' = 'idle';
  #tailMs = 0;
  #heldMs = 0;
  #isHandsFree = false;
  /** Ignores speech until it ends, after a cancel. */
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

  /** Discards the current utterance. */
  cancel(): void {
    if (this.#state === 'idle') return;
    this.#state = 'idle';
    this.#isUnwanted = true;
    this.#reset();
    this.#context.onRecording(false);
  }

  /** Ends the utterance, because the microphone was closed. */
  flush(): void {
    if (this.#state !== 'idle') this.#finish();
  }

  /** Marks reported speech as recognized. With `isUnderstood`, its audio is dropped from the utterance. */
  markTranscribed({ utterance, frames }: OpenSpeech, isUnderstood: boolean): void {
    if (utterance !== this.#count || this.#state === 'idle') return;
    if (!isUnderstood) this.#transcribedFrames += frames;
    else {
      for (const kept of [this.#frames, this.#levels]) kept.splice(0, frames);
      this.#voiced -= frames;
    }
  }

  /** Samples at 16 kHz. */
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

  /** Reports ongoing speech. In hands-free mode, a finished sentence is an utterance of its own. */
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
      audio: (mostSeconds) => {
        const from = mostSeconds === undefined ? 0 : Math.max(0, open.length - (mostSeconds * 1000) / frameMs);
        return encodeBase64(encodeWav(concat(open.slice(from)), sampleRate));
      },
    });
  }

  #isLong(): boolean {
    const seconds = (this.#frames.length * frameMs) / 1000;
    const { longestSeconds } = this.#context;
    return seconds >= longestSeconds || (seconds >= pauseShare * longestSeconds && this.#detector.quietMs >= pauseMs);
  }

  #start(ms: number): void {
    this.#reset();
    this.#frames = [this.#drain((ms * sampleRate) / 1000)];
    this.#levels = [this.#detector.levelDb];
    this.#voiced = this.#state === 'voice' ? 1 : 0;
  }

  #drain(most: number): Float32Array {
    const { length } = this.#ring;
    const { samples } = this.#ring.slice(Math.max(this.#drained, length - most), length);
    this.#drained = length;
    return samples;
  }

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

  /** Removes silence at the end. It is kept as lead-in of the next utterance. */
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
      audio: encodeBase64(encodeWav(samples, sampleRate)),
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
