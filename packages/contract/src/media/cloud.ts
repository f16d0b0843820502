import * as z from 'zod';
import { post } from '../endpoint.ts';
import { RecordingRow } from './recording-row.ts';
import { UploadBacklog } from './uploads.ts';

export const cloudLimits = {
  /** A recording ends after this time without a segment. */
  silenceMs: 300_000,
  /** Size and number of files that may wait for the upload. More are counted as lost and reported. */
  spoolBytes: 20 * 1024 ** 3,
  spoolFiles: 50_000,
  textCharacters: 512,
} as const;

export const cloudPollMs = 10_000;

const Text = z.string().trim().max(cloudLimits.textCharacters);

/** `progress` is true until everything is in the cloud. */
const CloudRow = RecordingRow.extend({
  /** Segments still waiting here, and lost ones. */
  waiting: z.int(),
  lost: z.int(),
});

export const CloudRecording = CloudRow.extend({ bucket: z.string(), region: z.string() });
export type CloudRecording = z.infer<typeof CloudRecording>;

/** MP4 created by the cloud. */
export const CloudMp4 = z.object({
  url: z.string(),
  bitrate: z.number(),
  height: z.number(),
  width: z.number(),
  size: z.number(),
  duration: z.number(),
  md5: z.string(),
});
export type CloudMp4 = z.infer<typeof CloudMp4>;

export const CloudVideo = CloudRow.extend({
  /** Id and URL of the video; empty until complete. */
  file: z.string(),
  media: z.string(),
  task: CloudMp4.nullable(),
});
export type CloudVideo = z.infer<typeof CloudVideo>;

const All = z.object({ all: z.boolean().default(false) });
const CloudSwitch = z.object({ all: z.boolean(), secret: z.boolean(), backlog: UploadBacklog });

export const cloudPaths = {
  dvr: (uuid: string) => `/terraform/v1/hooks/dvr/hls/${uuid}.m3u8`,
  vod: (uuid: string) => `/terraform/v1/hooks/vod/hls/${uuid}.m3u8`,
} as const;

export const cloudApi = {
  secret: post('/terraform/v1/tencent/cam/secret', {
    summary: 'Set the key of a Tencent Cloud account and set up its bucket and video service',
    body: z.object({
      secretId: Text.regex(/^[\x21-\x7e]*$/).default(''),
      secretKey: Text.regex(/^[\x21-\x7e]*$/).default(''),
      /** Region of a new bucket. */
      region: Text.regex(/^[a-z0-9-]+$/).default('ap-beijing'),
    }),
    data: z.null(),
  }),
  dvrQuery: post('/terraform/v1/hooks/dvr/query', {
    summary: 'Get the state of cloud recording, its key and pending uploads',
    data: CloudSwitch,
  }),
  dvrApply: post('/terraform/v1/hooks/dvr/apply', {
    summary: 'Start or stop cloud recording; rejected while cloud video on demand is on',
    body: All,
    data: z.null(),
  }),
  dvrFiles: post('/terraform/v1/hooks/dvr/files', {
    summary: 'List cloud recordings, last updated first',
    data: z.array(CloudRecording),
  }),
  vodQuery: post('/terraform/v1/hooks/vod/query', {
    summary: 'Get the state of cloud video on demand and its services',
    data: CloudSwitch.extend({ service: z.boolean(), storage: z.boolean() }),
  }),
  vodApply: post('/terraform/v1/hooks/vod/apply', {
    summary: 'Start or stop cloud video on demand; rejected while cloud recording is on',
    body: All,
    data: z.null(),
  }),
  vodFiles: post('/terraform/v1/hooks/vod/files', {
    summary: 'List cloud videos, last updated first',
    data: z.array(CloudVideo),
  }),
} as const;
