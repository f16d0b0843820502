import * as z from 'zod';
import { post } from '../endpoint.ts';
import { ProcessReport } from '../media/process.ts';
import { AiAnswerer, AiCause } from './ai.ts';
import { AiTask, aiTaskCalls, segmentsIn, TaskSegment, TaskSetting, TaskStream, TaskUuid } from './ai-task.ts';

/** Meaning of empty fields. */
export const transcriptDefaults = {
  forceStyle: 'Alignment=2,MarginV=20',
  videoCodecParams: '-c:v libx264 -profile:v main -preset:v medium -tune zerolatency -bf 0',
} as const;

export const transcriptLimits = {
  /** Concurrent streams. */
  streams: 4,
  /** Target languages. */
  translations: 4,
  /** Segments of the output; each earlier queue holds one more. */
  queue: 9,
  /** Segments that may wait for recognition; the oldest is dropped. */
  live: 30,
  /** Segments kept editable if no time is set. */
  restSegments: 2,
  /** Lines kept after their segment left the output. */
  lines: 100,
  fixSeconds: 60,
  textCharacters: 1000,
} as const;

const path = '/terraform/v1/ai/transcript';

/** HLS output of a task; see docs/features/transcript.md. */
export const transcriptHlsPath = `${path}/hls`;

/** ISO 639-1 codes that common recognisers support. Empty means automatic. */
export const transcriptLanguages = [
  'en',
  'zh',
  'de',
  'es',
  'ru',
  'ko',
  'fr',
  'ja',
  'pt',
  'tr',
  'pl',
  'ca',
  'nl',
  'ar',
  'sv',
  'it',
  'id',
  'hi',
  'fi',
  'vi',
  'he',
  'uk',
  'el',
  'ms',
  'cs',
  'ro',
  'da',
  'hu',
  'ta',
  'no',
  'th',
  'ur',
  'hr',
  'bg',
  'lt',
  'la',
  'mi',
  'ml',
  'cy',
  'sk',
  'te',
  'fa',
  'lv',
  'bn',
  'sr',
  'az',
  'sl',
  'kn',
  'et',
  'mk',
  'br',
  'eu',
  'is',
  'hy',
  'ne',
  'mn',
  'bs',
  'kk',
  'sq',
  'sw',
  'gl',
  'mr',
  'pa',
  'si',
  'km',
  'sn',
  'yo',
  'so',
  'af',
  'oc',
  'ka',
  'be',
  'tg',
  'sd',
  'gu',
  'am',
  'yi',
  'lo',
  'uz',
  'fo',
  'ht',
  'ps',
  'tk',
  'nn',
  'mt',
  'sa',
  'lb',
  'my',
  'bo',
  'tl',
  'mg',
  'as',
  'tt',
  'ln',
  'ha',
  'ba',
  'jv',
  'su',
] as const;

const Streams = z.array(TaskStream).max(transcriptLimits.streams);
const FixSeconds = z.number().min(0).max(transcriptLimits.fixSeconds).nullable();
const Language = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{0,8}(-[A-Za-z0-9]{1,8}){0,3}$/);

const Translation = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/);
const Translations = z.array(Translation).max(transcriptLimits.translations);

/** `secretKey` is returned masked; sending the mask back keeps the key. */
export const TranscriptConfig = z.object({
  /** On or off. */
  all: z.boolean().default(false),
  secretKey: TaskSetting,
  baseURL: TaskSetting,
  organization: TaskSetting,
  /** Spoken language; empty means automatic. */
  lang: Language.default(''),
  /** Burns subtitles into the overlay output. */
  overlayEnabled: z.boolean().default(true),
  /** Style of burnt-in text: `Name=value,…` with the names in `parseForceStyle`. */
  forceStyle: TaskSetting,
  /** Encoder options of the overlay output, as in `parseCodecParams`. */
  videoCodecParams: TaskSetting,
  webvttEnabled: z.boolean().default(true),
  /** Empty means the newest stream. */
  streams: Streams.default([]),
  /** Time for editing a segment; null waits for two more segments. */
  fixSeconds: FixSeconds.default(null),
  /** Streams whose players offer subtitles; an empty text stands for the newest. */
  captions: Streams.default([]),
  /** Target languages, translated by a provider with chat. */
  translations: Translations.default([]),
});
export type TranscriptConfig = z.infer<typeof TranscriptConfig>;

const Tsid = z.string().max(100).default('');
/** Selects a stream by the uuid of its output; empty means the first. */
const OfStream = z.object({ uuid: TaskUuid });

const LiveSegment = TaskSegment.extend({
  /** Does not continue the previous segment. Newer than the original API. */
  discontinuity: z.boolean(),
});
const AsrSegment = LiveSegment.extend({
  /** `tsid` in the live queue. */
  stsid: z.string(),
  /** Milliseconds until the audio was available. */
  eac: z.int(),
});
const FixSegment = AsrSegment.extend({
  asr: z.string(),
  /** Seconds within the segment. */
  asrs: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
  /** The text was cleared by a person. */
  uca: z.boolean(),
  /** The text was edited by a person. */
  edited: z.boolean(),
  /** Recognition time in milliseconds. */
  asrc: z.int(),
});
const OverlaySegment = FixSegment.extend({
  audio: z.string(),
  /** Milliseconds until the output was written. */
  olc: z.int(),
});
export type LiveSegment = z.infer<typeof LiveSegment>;
export type AsrSegment = z.infer<typeof AsrSegment>;
export type FixSegment = z.infer<typeof FixSegment>;
export type OverlaySegment = z.infer<typeof OverlaySegment>;

/** A sentence or part of one, as it was spoken. */
export const TranscriptLine = z.object({
  id: z.string(),
  /** Start of the speech. */
  at: z.string(),
  text: z.string(),
  /** Translations by language. */
  texts: z.record(z.string(), z.string()),
  /** Recognized, in the review queue, or part of the output. */
  state: z.enum(['heard', 'review', 'air']),
  /** Edited by a person since the server started. */
  edited: z.boolean(),
  cleared: z.boolean(),
  /** Argument of `edit` while the line is in review; null otherwise. */
  segment: z.object({ tsid: z.string(), cue: z.int() }).nullable(),
});
export type TranscriptLine = z.infer<typeof TranscriptLine>;

function queue<Segment extends z.ZodType>(name: string, summary: string, segment: Segment) {
  return post(`${path}/${name}`, { summary, body: OfStream, data: segmentsIn(segment) });
}

/** Translation of a stream into one language. */
const TranscriptTranslation = z.object({
  language: z.string(),
  /** Translated cues, and cues dropped for lack of an answer in time. */
  done: z.int(),
  skipped: z.int(),
  waiting: z.int(),
  /** Delay from text to translation; null if there is none yet. */
  delayMs: z.number().nullable(),
  /** Cause of the last failure, until the next success. */
  cause: AiCause.nullable(),
});
export type TranscriptTranslation = z.infer<typeof TranscriptTranslation>;

/** One stream of the task. Counts since the server start. */
export const TranscriptStream = z.object({
  /** Output id; the first stream uses the task's. */
  uuid: z.string(),
  /** Configured stream; empty for the newest. */
  wanted: z.string(),
  /** Current stream; empty if none is live. */
  stream: z.string(),
  /** True if the players of the stream offer subtitles. */
  captions: z.boolean(),
  /** Process that extracts the audio. */
  process: ProcessReport,
  /** Delay from the end of speech to its text on the stream's clock; null if there is none yet. */
  delayMs: z.number().nullable(),
  /** Utterances dropped because the queue was full. */
  dropped: z.int(),
  /** Utterances without an answer. */
  failures: z.int(),
  /** Segments missing in the output because the machine was too slow. */
  lostSegments: z.int(),
  /** Segments output without their burnt-in text. */
  passedSegments: z.int(),
  /** Cause of the last failure, until the next success. */
  cause: AiCause.nullable(),
  translations: z.array(TranscriptTranslation),
  live: z.int(),
  asr: z.int(),
  fix: z.int(),
  overlay: z.int(),
});
export type TranscriptStream = z.infer<typeof TranscriptStream>;

export const transcriptApi = {
  ...aiTaskCalls(path, {
    name: 'transcript',
    config: TranscriptConfig,
    body: TranscriptConfig.extend({
      uuid: TaskUuid,
      overlayEnabled: z.boolean().default(false),
      webvttEnabled: z.boolean().default(false),
      streams: Streams.optional(),
      fixSeconds: FixSeconds.optional(),
      captions: Streams.optional(),
      translations: Translations.optional(),
    }),
    kept: 'streams, fixSeconds, captions and translations stay unchanged if omitted',
  }),
  streams: post(`${path}/streams`, {
    summary: 'Choose the streams to transcribe; none means the newest',
    body: z.object({ streams: Streams }),
    data: z.null(),
  }),
  captions: post(`${path}/captions`, {
    summary: 'Turn subtitles in the players of a stream on or off',
    body: z.object({ uuid: TaskUuid, enabled: z.boolean().default(false) }),
    data: z.null(),
  }),
  clearSubtitle: post(`${path}/clear-subtitle`, {
    summary: 'Clear the text of a segment before it is shown',
    body: z.object({ uuid: TaskUuid, tsid: Tsid }),
    data: AiTask,
  }),
  edit: post(`${path}/edit`, {
    summary: 'Edit the text of a segment before it is shown: of one cue by its index, or of all',
    body: z.object({
      uuid: TaskUuid,
      tsid: Tsid,
      cue: z.int().min(0).max(1000).optional(),
      text: z.string().max(transcriptLimits.textCharacters),
    }),
    data: AiTask,
  }),
  state: post(`${path}/state`, {
    summary: 'Get the state of transcription for each stream',
    data: z.object({ provider: AiAnswerer, translator: AiAnswerer.nullable(), streams: z.array(TranscriptStream) }),
  }),
  lines: post(`${path}/lines`, {
    summary: 'List the latest lines of the running transcript of a stream, oldest first',
    body: OfStream,
    data: z.object({
      lines: z.array(TranscriptLine),
      /** Text of the sentence being spoken; empty if it is not recognized before its end. */
      growing: z.string(),
    }),
  }),
  languages: post(`${path}/languages`, {
    summary: 'List the available languages, each with its native name',
    data: z.object({ languages: z.array(z.object({ code: z.string(), name: z.string() })) }),
  }),
  liveQueue: queue('live-queue', 'List segments waiting for speech recognition', LiveSegment),
  asrQueue: queue('asr-queue', 'List segments whose speech is being recognized', AsrSegment),
  fixQueue: queue('fix-queue', 'List segments whose text can still be edited', FixSegment),
  overlayQueue: queue('overlay-queue', 'List the segments of the output', OverlaySegment),
} as const;
