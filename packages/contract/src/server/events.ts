import * as z from 'zod';
import { get } from '../endpoint.ts';

/** What may have changed: whoever shows it should ask again. */
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
] as const;
export type EventTopic = (typeof eventTopics)[number];

export const eventTimes = {
  /** A line without meaning, so that both ends know that the other is there. */
  heartbeatMs: 15_000,
  /** A listener that heard nothing for so long has lost its server. */
  silenceMs: 40_000,
} as const;

/** The first event. After `isReset` everything may have changed: what happened in between is not known any more. */
const Hello = z.object({ isReset: z.boolean() });
const Changed = z.object({ topics: z.array(z.enum(eventTopics)) });
const Values = z.array(z.number().nullable());
/** The last second, values in the order of the fields of measurements. */
const Samples = z.object({
  at: z.number(),
  server: Values,
  streams: z.array(z.object({ vhost: z.string(), app: z.string(), stream: z.string(), values: Values })),
});

/** Events by their name: `event: changed`, `data: {"topics":["streams"]}`. */
export const LiveEvents = z.object({ hello: Hello, changed: Changed, samples: Samples });
export type LiveEvents = z.infer<typeof LiveEvents>;

export const eventsApi = {
  /** Answers with `text/event-stream`; only failures have an envelope. */
  listen: get('/terraform/v1/mgmt/events', {
    summary: 'Subscribe to changes as text/event-stream; `Last-Event-ID` resumes. `data` lists the events by name',
    data: LiveEvents,
  }),
} as const;
