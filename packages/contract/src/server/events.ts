import * as z from 'zod';
import { get } from '../endpoint.ts';
import type { ProcessNumbers } from '../media/process.ts';
import type { RecordingRow } from '../media/recording-row.ts';

/** Kinds of data to refetch after a change. */
export const eventTopics = [
  'streams',
  'alerts',
  'forward',
  'vlive',
  'camera',
  'transcode',
  'record',
  'uploads',
  'transcript',
  'timeline',
  'ocr',
  'dubbing',
  'rooms',
  'callbacks',
  'certificates',
  'components',
  'programs',
] as const;
export type EventTopic = (typeof eventTopics)[number];

export const eventTimes = {
  /** Heartbeat interval, so that both ends detect a dead connection. */
  heartbeatMs: 15_000,
  /** A client without any event for this long reconnects. */
  silenceMs: 40_000,
} as const;

/** First event. `isReset` means that missed events are unknown and everything may have changed. */
const Hello = z.object({ isReset: z.boolean() });
const Changed = z.object({ topics: z.array(z.enum(eventTopics)) });
const Values = z.array(z.number().nullable());
/** Latest sample, with values in field order. */
const Samples = z.object({
  at: z.number(),
  server: Values,
  streams: z.array(z.object({ vhost: z.string(), app: z.string(), stream: z.string(), values: Values })),
});

/** Order of the values of a process and of a recording in `rows`. */
export const processFigures = [
  'fps',
  'kbps',
  'speed',
  'droppedFrames',
  'mediaMs',
] as const satisfies readonly (keyof ProcessNumbers)[];
export const recordingFigures = ['nn', 'duration', 'size'] as const satisfies readonly (keyof z.infer<
  typeof RecordingRow
>)[];

/** Numbers of everything that runs: processes by key, such as `forward/wx`, and recordings by id. */
const Rows = z.object({ processes: z.record(z.string(), Values), recordings: z.record(z.string(), Values) });

/** Events by name: `event: changed`, `data: {"topics":["streams"]}`. */
export const LiveEvents = z.object({ hello: Hello, changed: Changed, samples: Samples, rows: Rows });
export type LiveEvents = z.infer<typeof LiveEvents>;

export const eventsApi = {
  /** Answers with `text/event-stream`; only failures have an envelope. */
  listen: get('/terraform/v1/mgmt/events', {
    summary: 'Subscribe to changes as text/event-stream; `Last-Event-ID` resumes. `data` lists the events by name',
    data: LiveEvents,
  }),
} as const;
