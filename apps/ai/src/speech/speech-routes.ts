import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AiHttpError, badRequest, busy } from '../ai-http-error.ts';
import { FairQueue } from '../fair-queue.ts';
import { readForm } from '../request-body.ts';
import { type RequestContext, type Routes, sendJson } from '../routes.ts';
import type { WhisperThreads } from '../whisper/whisper-thread.ts';
import type { Recognizer } from './sherpa.ts';
import type { SherpaRuntime } from './sherpa-runtime.ts';
import type { SpeechModel, SpeechModels } from './speech-models.ts';
import { type Subtitle, splitIntoSubtitles } from './split-subtitles.ts';
import { type SpeechEvent, UtteranceDetector } from './utterance-detector.ts';
import { readWav, sampleRate, toSamples } from './wav.ts';

/** Same limit as OpenAI. */
const mostFormBytes = 26 * 1024 * 1024;
const mostStreams = 16;

export function speechRoutes(stack: SherpaRuntime, models: SpeechModels, whisper: WhisperThreads): Routes {
  // At most half of the cores, because media has priority.
  const queue = new FairQueue({ parallel: Math.max(1, Math.floor(availableParallelism() / 2)) });
  let streams = 0;

  async function transcriptions(exchange: RequestContext): Promise<void> {
    const form = await readForm(exchange.request, mostFormBytes);
    const samples = readWav(form.file);
    const wanted = form.text('language').toLowerCase();
    const model = await models.find(form.text('model'), wanted);
    const language = resolveLanguage(model, wanted);
    const caller = form.text('user') || exchange.request.socket;
    const english = model.whisper && language === '' ? await models.find('', 'en') : undefined;
    const { segments, language: spoken } = await queue.run(caller, exchange.signal, () =>
      transcribe({ stack, whisper, model, english, language, samples, signal: exchange.signal }),
    );
    const text = joinTexts(segments.map((segment) => segment.text));
    const duration = samples.length / sampleRate;
    const rows = segments.map((segment, id) => ({ id, ...segment }));
    if (form.text('response_format') === 'text') return void exchange.response.end(text);
    sendJson(exchange, { task: 'transcribe', language: spoken, duration, text, segments: rows });
  }

  /** Receives a PCM stream and sends one line per event. */
  async function voiceActivity({ request, response, signal }: RequestContext): Promise<void> {
    if (streams >= mostStreams) throw busy();
    const vad = stack.acquireVad();
    streams += 1;
    try {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
      const utterances = new UtteranceDetector(vad);
      const send = async (events: readonly SpeechEvent[]) => {
        if (events.length === 0) return;
        const isTaken = response.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
        if (!isTaken && !signal.aborted)
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      };
      let half: Buffer = Buffer.alloc(0);
      for await (const chunk of request as AsyncIterable<Buffer>) {
        const bytes = half.length === 0 ? chunk : Buffer.concat([half, chunk]);
        const whole = bytes.length - (bytes.length % 2);
        half = bytes.subarray(whole);
        await send(utterances.push(toSamples(bytes.subarray(0, whole))));
        if (signal.aborted) return;
      }
      await send(utterances.end());
      response.end();
    } finally {
      streams -= 1;
      stack.releaseVad(vad);
    }
  }

  return { 'POST /v1/audio/transcriptions': transcriptions, 'POST /v1/audio/voice-activity': voiceActivity };
}

/** Requested language, if the model supports it. Whisper also gets the region, which tells the script. */
function resolveLanguage({ id, languages, whisper }: SpeechModel, wanted: string): string {
  const [language = '', region = ''] = wanted.split(/[-_]/);
  if (language !== '' && !/^[a-z]{2,3}$/.test(language)) throw badRequest('The language must be a code such as en.');
  if (language === '') return languages.length === 1 ? (languages[0] ?? '') : '';
  if (languages.length > 0 && !languages.includes(language))
    throw new AiHttpError(400, 'unsupported_language', `The model ${id} does not support the language ${language}.`);
  return whisper && region !== '' ? `${language}-${region}` : language;
}

/** Chinese and Japanese put no space between sentences. */
function joinTexts(texts: readonly string[]): string {
  return texts.reduce((text, next) => (text === '' || endsWide.test(text) ? text + next : `${text} ${next}`), '');
}

const endsWide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u;

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
  readonly whisper: WhisperThreads;
  readonly model: SpeechModel;
  /** Model for English speech, where a model for many languages recognises the language first. */
  readonly english: SpeechModel | undefined;
  readonly language: string;
  readonly samples: Float32Array;
  readonly signal: AbortSignal;
}

interface Transcription {
  readonly segments: readonly Subtitle[];
  /** Given language, or that of most of the text. */
  readonly language: string;
}

/** Transcribes audio; times are in seconds from its start. */
async function transcribe({ stack, samples, signal, ...request }: TranscriptionRequest): Promise<Transcription> {
  const segments: Subtitle[] = [];
  const spoken = new Map<string, number>();
  const pieces: readonly (readonly [number, number])[] =
    samples.length <= longestWhole ? [[0, samples.length]] : await cutAtPauses(stack, samples, signal);
  for (const [start, end] of pieces) {
    signal.throwIfAborted();
    const { text, language } = await transcribePiece({ stack, ...request }, samples.subarray(start, end));
    spoken.set(language, (spoken.get(language) ?? 0) + text.length);
    segments.push(...splitIntoSubtitles(text, start / sampleRate, end / sampleRate));
  }
  const [language = request.language] = [...spoken].sort(([, a], [, b]) => b - a).map(([code]) => code);
  return { segments, language };
}

async function transcribePiece(
  { stack, whisper, model, english, language }: Omit<TranscriptionRequest, 'samples' | 'signal'>,
  samples: Float32Array,
): Promise<{ readonly text: string; readonly language: string }> {
  if (!model.whisper) return { text: await recognizeBySherpa(stack, model, language, samples), language };
  const left = english && !english.whisper ? ['en'] : [];
  const result = await whisper.recognize(model.whisper, { samples, language, left });
  if (!result.isLeft || !english) return { text: isVaried(result.text) ? result.text : '', language: result.language };
  return { text: await recognizeBySherpa(stack, english, 'en', samples), language: 'en' };
}

async function recognizeBySherpa(
  stack: SherpaRuntime,
  { id, settings, mostTokensPerSecond }: SpeechModel,
  language: string,
  samples: Float32Array,
): Promise<string> {
  return recognize(await stack.recognizer(id, language, settings?.(language) ?? {}), samples, mostTokensPerSecond);
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
