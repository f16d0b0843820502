import { defaultVhost } from '@weir/dialect';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { Diagnosis } from './diagnosis.ts';
import { StreamSamples } from './measurements.ts';

export const timelineLimits = {
  /** Entries of one broadcast; the first stay, then the oldest are left out and counted. */
  entries: 1000,
  firstEntries: 100,
  /** Broadcasts that are remembered, and what all of them may take. */
  broadcasts: 500,
  bytes: 64 * 1024 * 1024,
  /** Of one text of an entry. */
  textCharacters: 300,
  page: 50,
  entriesPage: 200,
} as const;

/** What people filter by. */
export const timelineGroups = [
  'publisher',
  'health',
  'viewers',
  'process',
  'callback',
  'recording',
  'administrator',
  'server',
] as const;
export type TimelineGroup = (typeof timelineGroups)[number];

/**
 * Everything that can have happened, and what it belongs to. `recorder-back`: the control plane was away for `seconds`, in which nothing was
 * noted. `publisher-left` has a `reason`, `process-failed` a `cause`, `verdict-changed` the `verdict` and its `issues`.
 */
export const timelineEventGroups = {
  'publisher-connected': 'publisher',
  'publisher-left': 'publisher',
  'publisher-refused': 'publisher',
  'format-changed': 'publisher',
  'verdict-changed': 'health',
  'viewers-reached': 'viewers',
  'process-started': 'process',
  'process-failed': 'process',
  'process-ended': 'process',
  'callback-delivered': 'callback',
  'callback-refused': 'callback',
  'callback-failed': 'callback',
  'recording-began': 'recording',
  'recording-ended': 'recording',
  'recording-failed': 'recording',
  'publisher-kicked': 'administrator',
  'viewer-kicked': 'administrator',
  'setting-changed': 'administrator',
  'recorder-back': 'server',
} as const satisfies Record<string, TimelineGroup>;
export type TimelineEventKind = keyof typeof timelineEventGroups;
const eventKinds = Object.keys(timelineEventGroups) as [TimelineEventKind, ...TimelineEventKind[]];

/** Numbers of viewers that are worth an entry. */
export const viewerMilestones = [10, 100, 1000, 10_000] as const;

/** Which settings were changed. The console names the page they are on. */
const settingAreas = [
  'forward',
  'vlive',
  'camera',
  'transcode',
  'record',
  'bucket',
  'cloud',
  'transcript',
  'ocr',
  'ai',
  'rooms',
  'callbacks',
  'publish-auth',
  'hls',
  'limits',
  'certificates',
  'platform',
  'edges',
  'password',
  'components',
] as const;
export type SettingArea = (typeof settingAreas)[number];

export const TimelineEntry = z.object({
  id: z.int(),
  at: z.string(),
  /** Of the last one, when it happened `count` times. */
  until: z.string(),
  count: z.int(),
  what: z.enum(eventKinds),
  /** Texts that tell it from others of its kind. Without secrets. */
  facts: z.record(z.string(), z.string()),
  numbers: z.record(z.string(), z.number()),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** A stream from its first publisher until it was over. */
export const Broadcast = z.object({
  id: z.int(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  beganAt: z.string(),
  /** Empty while it is live. */
  endedAt: z.string(),
  seconds: z.number(),
  /** How it was most of the time: `ok` and `bad` from a tenth of it. */
  verdict: Diagnosis.shape.verdict,
  /** Parts of the time that was judged, 0 to 1. */
  good: z.number(),
  ok: z.number(),
  bad: z.number(),
  peakViewers: z.int(),
  /** Ids of recordings of it that are still there, oldest first, and how many were deleted. */
  recordings: z.array(z.string()),
  deletedRecordings: z.int(),
  entries: z.int(),
  /** Entries that were too many to keep. */
  leftOut: z.int(),
});
export type Broadcast = z.infer<typeof Broadcast>;

const Name = z.string().min(1).max(limits.streamNameCharacters);
const OptionalName = z.string().max(limits.streamNameCharacters).default('');
/** A broadcast by its id, or the newest of a stream. */
const Which = z.object({
  id: z.int().min(0).default(0),
  vhost: Name.default(defaultVhost),
  app: OptionalName,
  stream: OptionalName,
});

/** Everything a stranger needs to understand a broadcast, and nothing that is secret. */
export const BroadcastReport = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  versions: z.record(z.string(), z.string()),
  broadcast: Broadcast,
  timeline: z.array(TimelineEntry),
  diagnosis: Diagnosis,
  /** The last five minutes by the second, and what is kept of it by the minute. */
  seconds: StreamSamples,
  minutes: StreamSamples,
  settings: z.record(z.string(), z.unknown()),
  /** The machine, its ffmpeg and what was wrong with them when the report was made. */
  server: z.record(z.string(), z.unknown()),
});
export type BroadcastReport = z.infer<typeof BroadcastReport>;

export const timelineApi = {
  broadcasts: post('/terraform/v1/mgmt/streams/broadcasts', {
    summary: 'List broadcasts, newest first: of all streams or of one, `before` an id',
    body: z.object({
      vhost: Name.default(defaultVhost),
      app: OptionalName,
      stream: OptionalName,
      before: z.int().min(0).default(0),
      most: z.int().min(1).max(200).default(timelineLimits.page),
    }),
    data: z.object({ broadcasts: z.array(Broadcast), hasMore: z.boolean() }),
  }),
  timeline: post('/terraform/v1/mgmt/streams/timeline', {
    summary: 'Get what happened in a broadcast, newest first: by its `id`, or the newest broadcast of a stream',
    body: Which.extend({ most: z.int().min(1).max(timelineLimits.entries).default(timelineLimits.entriesPage) }),
    data: z.object({ broadcast: Broadcast.nullable(), entries: z.array(TimelineEntry) }),
  }),
  report: post('/terraform/v1/mgmt/streams/report', {
    summary: 'Get a report of a broadcast for a bug report: timeline, samples, versions and settings, without secrets',
    body: Which,
    data: BroadcastReport,
  }),
} as const;
