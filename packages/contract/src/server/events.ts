import * as z from 'zod';
import { get } from '../endpoint.ts';

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

/** Events by name: `event: changed`, `data: {"topics":["streams"]}`. */
export const LiveEvents = z.object({ hello: Hello, changed: Changed, samples: Samples });
export type LiveEvents = z.infer<typeof LiveEvents>;

export const eventsApi = {
  /** Answers with `text/event-stream`; only failures have an envelope. */
  listen: get('/terraform/v1/mgmt/events', {
    summary: 'Subscribe to changes as text/event-stream; `Last-Event-ID` resumes. `data` lists the events by name',
    data: LiveEvents,
  }),
} as const;
