import { defaultVhost } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { Diagnosis } from './diagnosis.ts';
import { StreamSamples } from './measurements.ts';

export const timelineLimits = {
  /** Entries per broadcast; the first ones stay, then the oldest are dropped and counted. */
  entries: 1000,
  firstEntries: 100,
  /** Stored broadcasts and their total size. */
  broadcasts: 500,
  bytes: 64 * 1024 * 1024,
  /** Length of one text in an entry. */
  textCharacters: 300,
  page: 50,
  entriesPage: 200,
} as const;

/** Filter groups. */
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
 * Event kinds and their groups. `recorder-back`: the control plane was down for `seconds` and recorded nothing. `publisher-left` has a
 * `reason`, `process-failed` a `cause`, `verdict-changed` the `verdict` and its `issues`. `program-switched` has the inputs `from` and `to`,
 * the `reason` and `gapMs`. Updates of the server have the `version`.
 */
export const timelineEventGroups = {
  'publisher-connected': 'publisher',
  'publisher-left': 'publisher',
  'publisher-refused': 'publisher',
  'format-changed': 'publisher',
  'program-switched': 'publisher',
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
  'update-done': 'server',
  'update-failed': 'server',
} as const satisfies Record<string, TimelineGroup>;
export type TimelineEventKind = keyof typeof timelineEventGroups;
const eventKinds = Object.keys(timelineEventGroups) as [TimelineEventKind, ...TimelineEventKind[]];

/** Viewer counts that create an entry. */
export const viewerMilestones = [10, 100, 1000, 10_000] as const;

/** Changed settings; the console names their page. */
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
  'programs',
  'callbacks',
  'publish-auth',
  'hls',
  'limits',
  'certificates',
  'platform',
  'updates',
  'edges',
  'password',
  'components',
] as const;
export type SettingArea = (typeof settingAreas)[number];

export const TimelineEntry = z.object({
  id: z.int(),
  at: z.string(),
  /** Last occurrence if it happened `count` times. */
  until: z.string(),
  count: z.int(),
  what: z.enum(eventKinds),
  /** Details of the event, without secrets. */
  facts: z.record(z.string(), z.string()),
  numbers: z.record(z.string(), z.number()),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** A stream from its first publisher to its end. */
export const Broadcast = z.object({
  id: z.int(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  beganAt: z.string(),
  /** Empty while live. */
  endedAt: z.string(),
  seconds: z.number(),
  /** Prevailing verdict: `ok` and `bad` from a tenth of the time. */
  verdict: Diagnosis.shape.verdict,
  /** Shares of the judged time, 0 to 1. */
  good: z.number(),
  ok: z.number(),
  bad: z.number(),
  peakViewers: z.int(),
  /** Ids of existing recordings, oldest first, and the number of deleted ones. */
  recordings: z.array(z.string()),
  deletedRecordings: z.int(),
  entries: z.int(),
  /** Entries dropped at the limit. */
  leftOut: z.int(),
});
export type Broadcast = z.infer<typeof Broadcast>;

const Name = z.string().min(1).max(limits.streamNameCharacters);
const OptionalName = z.string().max(limits.streamNameCharacters).default('');
/** Broadcast by id, or the newest of a stream. */
const Which = z.object({
  id: z.int().min(0).default(0),
  vhost: Name.default(defaultVhost),
  app: OptionalName,
  stream: OptionalName,
});

/** Export of a broadcast for analysis, without secrets. */
export const BroadcastReport = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  versions: z.record(z.string(), z.string()),
  broadcast: Broadcast,
  timeline: z.array(TimelineEntry),
  diagnosis: Diagnosis,
  /** Last five minutes per second, and stored samples per minute. */
  seconds: StreamSamples,
  minutes: StreamSamples,
  settings: z.record(z.string(), z.unknown()),
  /** Machine, ffmpeg and their problems at the time of the report. */
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
