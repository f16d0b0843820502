import { defaultVhost, playProtocols, serverSampleFields, streamSampleFields } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { Diagnosis } from './diagnosis.ts';
import { ActiveStream } from './streams.ts';

const At = z.array(z.number());
const Column = z.array(z.number().nullable());

/** Samples by field; `at` is the start of each in milliseconds since 1970. Unknown values are null. */
export const StreamSamples = z.object({ at: At, columns: z.record(z.enum(streamSampleFields), Column) });
const ServerSamples = z.object({ at: At, columns: z.record(z.enum(serverSampleFields), Column) });
export type StreamSamples = z.infer<typeof StreamSamples>;

/** One viewer. At most 500 are listed. */
export const StreamViewer = z.object({
  /** `DELETE /api/v1/clients/{id}` disconnects it. */
  id: z.string(),
  protocol: z.enum(playProtocols),
  address: z.string(),
  since: z.string(),
  bytes: z.number(),
  kbps: z.number(),
  droppedFrames: z.number(),
  /** Null if the protocol does not report it. */
  rttMs: z.number().nullable(),
  /** Age of the oldest queued data, or over HLS the distance of the requested segment from the newest. Null via WebRTC. */
  behindMs: z.number().nullable().default(null),
  /** More than two seconds behind most viewers of the same protocol. */
  isSlow: z.boolean().default(false),
});
export type StreamViewer = z.infer<typeof StreamViewer>;

const Name = z.string().min(1).max(limits.streamNameCharacters);
const Since = z.number().min(0).default(0);
const Place = z.object({ vhost: Name.default(defaultVhost), app: Name, stream: Name, since: Since });

export const measurementsApi = {
  detail: post('/terraform/v1/mgmt/streams/detail', {
    summary:
      'Get a stream with its viewers, its issues and one sample per second of the last five minutes, after `since` (milliseconds)',
    body: Place,
    data: z.object({
      /** Null if not live. */
      live: ActiveStream.nullable(),
      samples: StreamSamples,
      viewers: z.array(StreamViewer),
      diagnosis: Diagnosis,
    }),
  }),
  history: post('/terraform/v1/mgmt/streams/history', {
    summary: 'Get one sample per minute of the last 24 hours of a stream, after `since` (milliseconds)',
    body: Place,
    data: z.object({ samples: StreamSamples }),
  }),
  server: post('/terraform/v1/mgmt/server/history', {
    summary: 'Get one sample per minute of the last 24 hours of this server, after `since` (milliseconds)',
    body: z.object({ since: Since }),
    data: z.object({ samples: ServerSamples }),
  }),
} as const;
