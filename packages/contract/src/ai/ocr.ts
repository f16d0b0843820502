import * as z from 'zod';
import { post } from '../endpoint.ts';
import { AiAnswerer, AiCause } from './ai.ts';
import { aiTaskCalls, segmentsIn, TaskSegment, TaskSetting, TaskStream, TaskUuid } from './ai-task.ts';

/** What the console offers before anything was saved. */
export const ocrDefaults = {
  aiProvider: 'openai',
  aiChatModel: 'gpt-4o',
  aiChatMaxWindow: 5,
  aiChatMaxWords: 300,
  /** What a picture is asked for where nobody says otherwise. */
  aiChatPrompt: 'Read all text in the image and output it, one line for each line of text, without comments.',
} as const;

export const ocrLimits = {
  /** Segments that stay after they were read; each queue before holds one more. */
  queue: 9,
  /** Segments that may wait for their picture to be taken; the oldest is dropped. */
  live: 30,
  /** Questions about one picture, before it is given up. */
  tries: 3,
  intervalSeconds: 3600,
  promptCharacters: 4000,
  window: 100,
  words: 10_000,
  /** Of what is kept of an answer. */
  textCharacters: 8000,
} as const;

const path = '/terraform/v1/ai/ocr';

/** Where pictures are: `/{tsid}.jpg`, with a credential or with the query that addresses handed out have. */
export const ocrImagePath = `${path}/image`;

/** Why a segment was not read. `unchanged`: the picture is the one before. `interval`: it is not time yet. `off`: the model is off. `dropped`: too many waited. */
export const ocrSkips = ['unchanged', 'interval', 'off', 'dropped'] as const;
export type OcrSkip = (typeof ocrSkips)[number];

/** Why reading failed: the reason of whoever was asked, or `no-picture`: the segment has none that can be taken. */
const OcrCause = z.union([AiCause, z.literal('no-picture')]);
export type OcrCause = z.infer<typeof OcrCause>;

const Interval = z.number().min(0).max(ocrLimits.intervalSeconds);

/** `aiSecretKey` is never given out: a query shows a mask of it, and a mask sent back means: as it is. */
export const OcrConfig = z.object({
  /** On or off. */
  all: z.boolean().default(false),
  aiProvider: TaskSetting,
  aiSecretKey: TaskSetting,
  aiOrganization: TaskSetting,
  aiBaseURL: TaskSetting,
  /** Off: pictures are taken, and nobody is asked about them. */
  aiChatEnabled: z.boolean().default(true),
  /** Of a provider; built-in AI has its own. Empty: the usual one. */
  aiChatModel: TaskSetting,
  aiChatPrompt: z.string().max(ocrLimits.promptCharacters).default(''),
  /** Answers before it that a model is told of. */
  aiChatMaxWindow: z.int().min(0).max(ocrLimits.window).default(0),
  /** Of an answer; 0: as many as the model likes. */
  aiChatMaxWords: z.int().min(0).max(ocrLimits.words).default(0),
  /** Empty: the newest that somebody publishes to this server. */
  stream: TaskStream.default(''),
  /** The shortest time between two pictures; 0: one of every segment. */
  intervalSeconds: Interval.default(0),
  /** A picture that shows what the one before did is not read again. */
  skipUnchanged: z.boolean().default(true),
});
export type OcrConfig = z.infer<typeof OcrConfig>;

/** `at` is an addition to what older clients know, as are `image` and what follows `cbc`. */
const OcrLiveSegment = TaskSegment.extend({
  /** When it began. */
  at: z.string(),
});
const OcrImageSegment = OcrLiveSegment.extend({
  /** The `tsid` it had in the live queue. */
  stsid: z.string(),
  /** Milliseconds until its picture was taken. */
  eic: z.int(),
  /** Path of the picture, for some time without a credential; empty: there is none. */
  image: z.string(),
});
const OcrReadSegment = OcrImageSegment.extend({
  ocr: z.string(),
  /** Milliseconds that reading took. */
  ocrc: z.int(),
  /** What came of it. */
  outcome: z.enum(['called', 'skipped', 'failed']),
  cause: OcrCause.nullable(),
  /** Who was asked: a host, or `built-in`; empty: nobody. */
  answeredBy: z.string(),
  /** As it was asked for; empty: the usual one. */
  model: z.string(),
  prompt: z.string(),
});
const OcrDoneSegment = OcrReadSegment.extend({
  /** Milliseconds that the callback took; 0: there was none. */
  cbc: z.int(),
});
export type OcrLiveSegment = z.infer<typeof OcrLiveSegment>;
export type OcrImageSegment = z.infer<typeof OcrImageSegment>;
export type OcrReadSegment = z.infer<typeof OcrReadSegment>;
export type OcrDoneSegment = z.infer<typeof OcrDoneSegment>;

function queue<Segment extends z.ZodType>(name: string, summary: string, segment: Segment) {
  return post(`${path}/${name}`, { summary, data: segmentsIn(segment) });
}

/** Counts are since the server started, or since the last reset. Every segment that came is called, skipped, failed, or still on its way. */
export const OcrState = z.object({
  /** Who would read a picture now. */
  provider: AiAnswerer,
  /** What is taken now, as people name it; empty: nothing is live. */
  stream: z.string(),
  taken: z.int(),
  called: z.int(),
  skipped: z.object({ unchanged: z.int(), interval: z.int(), off: z.int(), dropped: z.int() }),
  failed: z.int(),
  /** Of the last failure, until something is read again. */
  cause: OcrCause.nullable(),
  /** When something was read last; empty: not yet. */
  readAt: z.string(),
  live: z.int(),
  ocr: z.int(),
  callback: z.int(),
  cleanup: z.int(),
});
export type OcrState = z.infer<typeof OcrState>;

export const ocrApi = {
  ...aiTaskCalls(path, {
    name: 'OCR',
    config: OcrConfig,
    body: OcrConfig.extend({
      uuid: TaskUuid,
      stream: TaskStream.optional(),
      intervalSeconds: Interval.optional(),
      skipUnchanged: z.boolean().optional(),
    }),
    kept: 'stream, intervalSeconds and skipUnchanged stay unchanged if omitted',
  }),
  state: post(`${path}/state`, {
    summary: 'Get the state of OCR and the number of segments by outcome',
    data: OcrState,
  }),
  liveQueue: queue('live-queue', 'List segments waiting for image extraction', OcrLiveSegment),
  ocrQueue: queue('ocr-queue', 'List images waiting to be read', OcrImageSegment),
  callbackQueue: queue('callback-queue', 'List texts waiting for their callback', OcrReadSegment),
  cleanupQueue: queue('cleanup-queue', 'List the latest finished segments', OcrDoneSegment),
} as const;
