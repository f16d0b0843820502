import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Recognizer } from './sherpa.ts';
import type { SherpaRuntime } from './sherpa-runtime.ts';
import type { SpeechModel } from './speech-models.ts';
import { type Subtitle, splitIntoSubtitles } from './split-subtitles.ts';
import { type SpeechEvent, UtteranceDetector } from './utterance-detector.ts';
import { sampleRate } from './wav.ts';

const leastDistinct = 0.35;
/** Short texts may repeat words. */
const fewWords = 6;

/** False for endless repetition, which models produce for languages they do not know. */
export function isVaried(text: string): boolean {
  const words = text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}']+/gu) ?? [];
  return words.length < fewWords || new Set(words).size / words.length >= leastDistinct;
}

/** Longer audio is cut at pauses: recognising a minute at once takes half a gigabyte and loses words. */
const longestWhole = 10 * sampleRate;
/** Samples per detection step; other requests run in between. */
const block = 2 * sampleRate;

interface TranscriptionRequest {
  readonly stack: SherpaRuntime;
  readonly model: SpeechModel;
  readonly language: string;
  readonly samples: Float32Array;
  readonly signal: AbortSignal;
}

/** Transcribes audio; times are in seconds from its start. */
export async function transcribe({
  stack,
  model,
  language,
  samples,
  signal,
}: TranscriptionRequest): Promise<Subtitle[]> {
  const recognizer = await stack.recognizer(model.id, language, model.settings(language));
  const segments: Subtitle[] = [];
  const pieces: readonly (readonly [number, number])[] =
    samples.length <= longestWhole ? [[0, samples.length]] : await cutAtPauses(stack, samples, signal);
  for (const [start, end] of pieces) {
    signal.throwIfAborted();
    const text = await recognize(recognizer, samples.subarray(start, end), model.mostTokensPerSecond);
    segments.push(...splitIntoSubtitles(text, start / sampleRate, end / sampleRate));
  }
  return segments;
}

async function recognize(recognizer: Recognizer, samples: Float32Array, mostTokensPerSecond: number): Promise<string> {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate });
  const { text, tokens } = await recognizer.decodeAsync(stream);
  const said = text.trim();
  const perSecond = tokens.length / Math.max(1, samples.length / sampleRate);
  return perSecond <= mostTokensPerSecond && isVaried(said) ? said : '';
}

async function cutAtPauses(
  stack: SherpaRuntime,
  samples: Float32Array,
  signal: AbortSignal,
): Promise<(readonly [number, number])[]> {
  const vad = stack.acquireVad();
  try {
    const utterances = new UtteranceDetector(vad);
    const events: SpeechEvent[] = [];
    for (let at = 0; at < samples.length; at += block) {
      events.push(...utterances.push(samples.subarray(at, at + block)));
      await nextTurn();
      signal.throwIfAborted();
    }
    events.push(...utterances.end());
    return events.flatMap((event) => ('utterance' in event ? [event.utterance] : []));
  } finally {
    stack.releaseVad(vad);
  }
}
