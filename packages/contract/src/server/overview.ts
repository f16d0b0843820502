import { defaultVhost, serverSampleFields } from '@weir/dialect';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { ProcessReport } from '../media/process.ts';
import { Diagnosis } from './diagnosis.ts';

export const overviewTimes = {
  /** How often the console asks for all streams at a glance. */
  pollMs: 5000,
  /** A stream has a new picture at most so often. */
  thumbnailMs: 10_000,
} as const;

/** Small lines of the last five minutes: so many points, each the mean of so many milliseconds. */
export const sparkline = { points: 60, stepMs: 5000 } as const;

/** Oldest first; null where nothing is known. */
const Sparkline = z.array(z.number().nullable());

/** A live stream at a glance. What changes by the second is in the list of streams and in the news. */
export const StreamOverview = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  diagnosis: Diagnosis,
  /** From the publisher, kbit/s. */
  line: Sparkline,
  isRecording: z.boolean(),
  /** Where it is sent on to. */
  targets: z.array(z.object({ platform: z.string(), label: z.string(), state: ProcessReport.shape.state })),
});
export type StreamOverview = z.infer<typeof StreamOverview>;

/** Shares are from 0 to 1. */
const ServerSparklines = z.object({ cpu: Sparkline, memory: Sparkline, inKbps: Sparkline, outKbps: Sparkline });
export type ServerSparklines = z.infer<typeof ServerSparklines>;

/** Why there is no picture: nobody publishes, only audio, a picture that cannot be decoded, no program for it, or not with this media server. */
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
  /** Answers with `image/jpeg`; only where there is no picture, and for failures, with an envelope. */
  thumbnail: post('/terraform/v1/mgmt/streams/thumbnail', {
    summary:
      'Get a thumbnail of a live stream as image/jpeg, at most 10 seconds old; without one, `data` has the reason',
    body: z.object({ vhost: Name.default(defaultVhost), app: Name, stream: Name }),
    data: z.object({ reason: z.enum(noThumbnailReasons) }),
  }),
} as const;
