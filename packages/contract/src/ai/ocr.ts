import * as z from 'zod';
import { post } from '../endpoint.ts';
import { AiAnswerer, AiCause } from './ai.ts';
import { aiTaskCalls, segmentsIn, TaskSegment, TaskSetting, TaskStream, TaskUuid } from './ai-task.ts';

/** Initial values of the form. */
export const ocrDefaults = {
  aiProvider: 'openai',
  aiChatModel: 'gpt-4o',
  aiChatMaxWindow: 5,
  aiChatMaxWords: 300,
  /** Default prompt. */
  aiChatPrompt: 'Read all text in the image and output it, one line for each line of text, without comments.',
} as const;

export const ocrLimits = {
  /** Segments kept after processing; each earlier queue holds one more. */
  queue: 9,
  /** Segments that may wait for their frame; the oldest is dropped. */
  live: 30,
  /** Attempts per frame. */
  tries: 3,
  intervalSeconds: 3600,
  promptCharacters: 4000,
  window: 100,
  words: 10_000,
  /** Stored part of an answer. */
  textCharacters: 8000,
} as const;

const path = '/terraform/v1/ai/ocr';

/** Frame images: `/{tsid}.jpg`, with credentials or with the query of issued links. */
export const ocrImagePath = `${path}/image`;

/** Reasons to skip a segment. `unchanged`: same frame as before. `interval`: too early. `off`: the model is off. `dropped`: queue full. */
export const ocrSkips = ['unchanged', 'interval', 'off', 'dropped'] as const;
export type OcrSkip = (typeof ocrSkips)[number];

/** Reasons of a failure: an AI cause, or `no-picture` for a segment without a decodable frame. */
const OcrCause = z.union([AiCause, z.literal('no-picture')]);
export type OcrCause = z.infer<typeof OcrCause>;

const Interval = z.number().min(0).max(ocrLimits.intervalSeconds);

/** `aiSecretKey` is returned masked; sending the mask back keeps the key. */
export const OcrConfig = z.object({
  /** On or off. */
  all: z.boolean().default(false),
  aiProvider: TaskSetting,
  aiSecretKey: TaskSetting,
  aiOrganization: TaskSetting,
  aiBaseURL: TaskSetting,
  /** If off, frames are extracted but not sent to AI. */
  aiChatEnabled: z.boolean().default(true),
  /** Provider's model; built-in AI has its own. Empty means the default. */
  aiChatModel: TaskSetting,
  aiChatPrompt: z.string().max(ocrLimits.promptCharacters).default(''),
  /** Number of previous answers in the context. */
  aiChatMaxWindow: z.int().min(0).max(ocrLimits.window).default(0),
  /** Answer length; 0 for no limit. */
  aiChatMaxWords: z.int().min(0).max(ocrLimits.words).default(0),
  /** Empty means the newest stream. */
  stream: TaskStream.default(''),
  /** Minimum time between frames; 0 for one per segment. */
  intervalSeconds: Interval.default(0),
  /** Skips frames that show the same as the one before. */
  skipUnchanged: z.boolean().default(true),
});
export type OcrConfig = z.infer<typeof OcrConfig>;

/** `at`, `image` and all fields after `cbc` are newer than the original API. */
const OcrLiveSegment = TaskSegment.extend({
  /** Start of the segment. */
  at: z.string(),
});
const OcrImageSegment = OcrLiveSegment.extend({
  /** `tsid` in the live queue. */
  stsid: z.string(),
  /** Milliseconds until the frame was extracted. */
  eic: z.int(),
  /** Path of the frame, temporarily without credentials; empty if there is none. */
  image: z.string(),
});
const OcrReadSegment = OcrImageSegment.extend({
  ocr: z.string(),
  /** Duration of the recognition in milliseconds. */
  ocrc: z.int(),
  outcome: z.enum(['called', 'skipped', 'failed']),
  cause: OcrCause.nullable(),
  /** Host, or `built-in`; empty if AI was not called. */
  answeredBy: z.string(),
  /** Requested model; empty for the default. */
  model: z.string(),
  prompt: z.string(),
});
const OcrDoneSegment = OcrReadSegment.extend({
  /** Duration of the callback in milliseconds; 0 if there was none. */
  cbc: z.int(),
});
export type OcrLiveSegment = z.infer<typeof OcrLiveSegment>;
export type OcrImageSegment = z.infer<typeof OcrImageSegment>;
export type OcrReadSegment = z.infer<typeof OcrReadSegment>;
export type OcrDoneSegment = z.infer<typeof OcrDoneSegment>;

function queue<Segment extends z.ZodType>(name: string, summary: string, segment: Segment) {
  return post(`${path}/${name}`, { summary, data: segmentsIn(segment) });
}

/** Counts since the server start or the last reset. Every segment is called, skipped, failed or pending. */
export const OcrState = z.object({
  /** AI that would read a frame now. */
  provider: AiAnswerer,
  /** Current stream; empty if none is live. */
  stream: z.string(),
  taken: z.int(),
  called: z.int(),
  skipped: z.object({ unchanged: z.int(), interval: z.int(), off: z.int(), dropped: z.int() }),
  failed: z.int(),
  /** Cause of the last failure, until the next success. */
  cause: OcrCause.nullable(),
  /** Last success; empty if none yet. */
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
