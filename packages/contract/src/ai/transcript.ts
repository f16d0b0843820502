import * as z from 'zod';
import { post } from '../endpoint.ts';
import { ProcessReport } from '../media/process.ts';
import { AiAnswerer, AiCause } from './ai.ts';
import { AiTask, aiTaskCalls, segmentsIn, TaskSegment, TaskSetting, TaskStream, TaskUuid } from './ai-task.ts';

/** What an empty field means. */
export const transcriptDefaults = {
  forceStyle: 'Alignment=2,MarginV=20',
  videoCodecParams: '-c:v libx264 -profile:v main -preset:v medium -tune zerolatency -bf 0',
} as const;

export const transcriptLimits = {
  /** Streams that are transcribed at the same time. */
  streams: 4,
  /** Languages that text is translated into. */
  translations: 4,
  /** Segments of the output; each queue before it holds one more. */
  queue: 9,
  /** Segments that may wait before recognition; the oldest is dropped. */
  live: 30,
  /** Segments that rest where their text can be edited, unless a time is set. */
  restSegments: 2,
  fixSeconds: 60,
  textCharacters: 1000,
} as const;

const path = '/terraform/v1/ai/transcript';

/** Where players find the outputs of a task; see docs/features/transcript.md. */
export const transcriptHlsPath = `${path}/hls`;

/** Codes of ISO 639-1 that the usual recognisers know. Empty: the recogniser finds out. */
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

/** `secretKey` is never given out: a query shows a mask of it, and a mask sent back means: as it is. */
export const TranscriptConfig = z.object({
  /** On or off. */
  all: z.boolean().default(false),
  secretKey: TaskSetting,
  baseURL: TaskSetting,
  organization: TaskSetting,
  /** Code of the language that is spoken; empty: the recogniser finds out. */
  lang: Language.default(''),
  /** Text is burnt into the video of the overlay output. */
  overlayEnabled: z.boolean().default(true),
  /** How burnt-in text looks: `Name=value,…` with the names that `parseForceStyle` knows. */
  forceStyle: TaskSetting,
  /** How video with burnt-in text is encoded: the options that `parseCodecParams` knows. */
  videoCodecParams: TaskSetting,
  webvttEnabled: z.boolean().default(true),
  /** None: the newest that somebody publishes to this server. */
  streams: Streams.default([]),
  /** How long a segment rests where its text can be edited; null: until two more have come. */
  fixSeconds: FixSeconds.default(null),
  /** Of `streams`, those whose own players offer the text as subtitles; an empty text stands for the newest. */
  captions: Streams.default([]),
  /** Codes of the languages that the text is translated into, by a provider that can chat. */
  translations: Translations.default([]),
});
export type TranscriptConfig = z.infer<typeof TranscriptConfig>;

const Tsid = z.string().max(100).default('');
/** Which of several streams, by the uuid of its output; empty: the first. */
const OfStream = z.object({ uuid: TaskUuid });

const LiveSegment = TaskSegment.extend({
  /** Does not continue the segment before it. An addition to what older clients know. */
  discontinuity: z.boolean(),
});
const AsrSegment = LiveSegment.extend({
  /** The `tsid` it had in the live queue. */
  stsid: z.string(),
  /** Milliseconds until its audio was there. */
  eac: z.int(),
});
const FixSegment = AsrSegment.extend({
  asr: z.string(),
  /** Seconds within the segment. */
  asrs: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
  /** Its text was cleared by a person. */
  uca: z.boolean(),
  /** Its text was edited by a person. */
  edited: z.boolean(),
  /** Milliseconds that recognising took of what was said up to its end. */
  asrc: z.int(),
});
const OverlaySegment = FixSegment.extend({
  audio: z.string(),
  /** Milliseconds until its output was made. */
  olc: z.int(),
});
export type LiveSegment = z.infer<typeof LiveSegment>;
export type AsrSegment = z.infer<typeof AsrSegment>;
export type FixSegment = z.infer<typeof FixSegment>;
export type OverlaySegment = z.infer<typeof OverlaySegment>;

function queue<Segment extends z.ZodType>(name: string, summary: string, segment: Segment) {
  return post(`${path}/${name}`, { summary, body: OfStream, data: segmentsIn(segment) });
}

/** One language that a stream is translated into. */
const TranscriptTranslation = z.object({
  language: z.string(),
  /** Cues that were translated, and that were left out because nobody answered in time. */
  done: z.int(),
  skipped: z.int(),
  waiting: z.int(),
  /** From a text to its translation; null until there is one. */
  delayMs: z.number().nullable(),
  /** Of the last failure, until there is an answer again. */
  cause: AiCause.nullable(),
});
export type TranscriptTranslation = z.infer<typeof TranscriptTranslation>;

/** One stream of the task. Counts are since the server started. */
export const TranscriptStream = z.object({
  /** Of its outputs; the first has the uuid of the task. */
  uuid: z.string(),
  /** As it was chosen; empty: the newest. */
  wanted: z.string(),
  /** What is taken now, as people name it; empty: nothing is live. */
  stream: z.string(),
  /** Whether its own players offer the text as subtitles. */
  captions: z.boolean(),
  /** The program that listens to it. */
  process: ProcessReport,
  /** From the end of what was said to its text, on the stream's clock; null until there is one. */
  delayMs: z.number().nullable(),
  /** Utterances nobody was asked about, because too many waited. */
  dropped: z.int(),
  /** Utterances that stayed without an answer. */
  failures: z.int(),
  /** Segments that went missing in the output, because the machine did not keep up. */
  lostSegments: z.int(),
  /** Segments that passed without burnt-in text although there was some. */
  passedSegments: z.int(),
  /** Of the last failure, until something is understood again. */
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
  languages: post(`${path}/languages`, {
    summary: 'List the available languages, each with its native name',
    data: z.object({ languages: z.array(z.object({ code: z.string(), name: z.string() })) }),
  }),
  liveQueue: queue('live-queue', 'List segments waiting for speech recognition', LiveSegment),
  asrQueue: queue('asr-queue', 'List segments whose speech is being recognized', AsrSegment),
  fixQueue: queue('fix-queue', 'List segments whose text can still be edited', FixSegment),
  overlayQueue: queue('overlay-queue', 'List the segments of the output', OverlaySegment),
} as const;
