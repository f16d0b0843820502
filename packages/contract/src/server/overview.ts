import { defaultVhost, serverSampleFields } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { ProcessReport } from '../media/process.ts';
import { Diagnosis } from './diagnosis.ts';

export const overviewTimes = {
  /** Poll interval of the overview. */
  pollMs: 5000,
  /** Minimum age before a new thumbnail is taken. */
  thumbnailMs: 10_000,
} as const;

/** Sparklines of the last five minutes: number of points, and the time each averages. */
export const sparkline = { points: 60, stepMs: 5000 } as const;

/** Oldest first; null if unknown. */
const Sparkline = z.array(z.number().nullable());

/** Overview of a live stream. Per-second values are in the stream list and in events. */
export const StreamOverview = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  diagnosis: Diagnosis,
  /** Incoming bitrate in kbit/s. */
  line: Sparkline,
  isRecording: z.boolean(),
  /** Forwarding destinations. */
  targets: z.array(z.object({ platform: z.string(), label: z.string(), state: ProcessReport.shape.state })),
});
export type StreamOverview = z.infer<typeof StreamOverview>;

/** Shares from 0 to 1. */
const ServerSparklines = z.object({ cpu: Sparkline, memory: Sparkline, inKbps: Sparkline, outKbps: Sparkline });
export type ServerSparklines = z.infer<typeof ServerSparklines>;

/** Reasons for a missing thumbnail: not live, audio only, undecodable video, no ffmpeg, or not supported by the media server. */
const noThumbnailReasons = ['not-live', 'no-video', 'undecodable', 'no-ffmpeg', 'unsupported'] as const;
export type NoThumbnailReason = (typeof noThumbnailReasons)[number];

const Name = z.string().min(1).max(limits.streamNameCharacters);

export const overviewApi = {
  streams: post('/terraform/v1/mgmt/streams/overview', {
    summary:
      'Get an overview of live streams: issues, bitrate of the last five minutes, recording and destinations; at most 200 streams',
    data: z.object({ streams: z.array(StreamOverview), server: ServerSparklines }),
  }),
  now: post('/terraform/v1/mgmt/server/now', {
    summary: 'Get the latest sample of this server; null where a value is unknown',
    data: z.object({ at: z.number(), values: z.record(z.enum(serverSampleFields), z.number().nullable()) }),
  }),
  /** Answers with `image/jpeg`; an envelope only without a thumbnail and for failures. */
  thumbnail: post('/terraform/v1/mgmt/streams/thumbnail', {
    summary:
      'Get a thumbnail of a live stream as image/jpeg, at most 10 seconds old; without one, `data` has the reason',
    body: z.object({
      vhost: Name.default(defaultVhost),
      app: Name,
      stream: Name,
      /** Accepts the last picture of a stream that is not live any more, or has no video now. */
      last: z.boolean().default(false),
    }),
    data: z.object({ reason: z.enum(noThumbnailReasons) }),
  }),
} as const;
