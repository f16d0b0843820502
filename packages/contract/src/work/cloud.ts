import * as z from 'zod';
import { post } from '../endpoint.ts';

export const cloudLimits = {
  /** Without a segment for this long a recording in the cloud is over. */
  silenceMs: 300_000,
  /** Files that may wait on the disk for the cloud, all together, and how many. More are counted as lost, and told. */
  spoolBytes: 20 * 1024 ** 3,
  spoolFiles: 50_000,
  textCharacters: 512,
} as const;

export const cloudPollMs = 10_000;

/** Why an upload did not work. The console has a sentence for each. */
export const uploadFailures = [
  'bad-address',
  'unknown-name',
  'no-connection',
  'bad-certificate',
  'wrong-key',
  'denied',
  'no-bucket',
  'wrong-region',
  'clock',
  'full',
  'busy',
  'refused',
  'account',
  'disk',
  'gone',
  'stopped',
] as const;
export type UploadFailure = (typeof uploadFailures)[number];
const Failure = z.enum([...uploadFailures, '']);

/** What waits to be uploaded, and how that goes. */
export const UploadBacklog = z.object({
  files: z.int(),
  bytes: z.number(),
  /** When the oldest of them was put in; empty: nothing waits. */
  since: z.string(),
  /** Of the last try, when it did not work; `error` holds the details. */
  failure: Failure,
  error: z.string(),
  nextTry: z.string(),
  /** Files that could not be kept because too much waited, since the server started. */
  lost: z.int(),
});
export type UploadBacklog = z.infer<typeof UploadBacklog>;

// ---- any bucket that speaks S3 ----

const Text = z.string().trim().max(cloudLimits.textCharacters);
/** Visible ASCII, and the dots of a mask. */
const Key = Text.regex(/^[\x21-\x7e\u2022]*$/, 'may hold no spaces and no letters outside ASCII');

/** `https://host[:port][/path]`; nothing else belongs into it. */
const Endpoint = Text.refine(
  (text) => text === '' || isPlainAddress(text),
  'must be an http or https URL without a user name, query or fragment',
);

const Prefix = Text.regex(/^[A-Za-z0-9!_.*'()/-]*$/, 'may hold letters, figures and - _ . / only').refine(
  (text) => !text.split('/').some((part) => part === '.' || part === '..'),
  'may not hold . or .. as a part',
);

const S3Bucket = z.object({
  endpoint: Endpoint,
  region: Text.regex(/^[A-Za-z0-9-]*$/, 'may hold letters, figures and - only'),
  bucket: Text.regex(/^[A-Za-z0-9._-]*$/, 'may hold letters, figures and . _ - only'),
  accessKeyId: Key,
  /** Never given out: a query shows a mask of it, and the mask sent back beside the same access key means: as it is. */
  secretAccessKey: Key,
  /** Put before the name of each file. */
  prefix: Prefix,
  /** `https://endpoint/bucket/file` instead of `https://bucket.endpoint/file`. */
  pathStyle: z.boolean(),
});
type S3Bucket = z.infer<typeof S3Bucket>;

/** Where finished recordings go besides, or instead of, this server's disk. */
export const RecordBucket = S3Bucket.extend({
  enabled: z.boolean(),
  /** Whether the recording stays on this server once the bucket has it. */
  keepLocal: z.boolean(),
});
export type RecordBucket = z.infer<typeof RecordBucket>;

const Apply = z
  .object({
    enabled: z.boolean().default(false),
    keepLocal: z.boolean().default(true),
    endpoint: Endpoint.default(''),
    region: S3Bucket.shape.region.default(''),
    bucket: S3Bucket.shape.bucket.default(''),
    accessKeyId: Key.default(''),
    secretAccessKey: Key.default(''),
    prefix: Prefix.default(''),
    pathStyle: z.boolean().default(true),
  })
  .refine(({ enabled, ...rest }) => !enabled || isWhole(rest), {
    message: 'endpoint, bucket, access key and secret key are required',
  });

const bucketTestSteps = ['write', 'read', 'delete', ''] as const;

/** What trying a bucket found: the step that failed and why; both empty when all went well. */
export const BucketTest = z.object({ step: z.enum(bucketTestSteps), failure: Failure, error: z.string() });
export type BucketTest = z.infer<typeof BucketTest>;

const uploadStates = ['waiting', 'uploading', 'done', 'failed'] as const;

/** How far the bucket has one recording. */
export const RecordingUpload = z.object({
  state: z.enum(uploadStates),
  /** Name of the file in the bucket. */
  key: z.string(),
  bucket: z.string(),
  bytes: z.number(),
  percent: z.number(),
  tries: z.int(),
  failure: Failure,
  error: z.string(),
  nextTry: z.string(),
  /** When it arrived; empty before. */
  doneAt: z.string(),
});
export type RecordingUpload = z.infer<typeof RecordingUpload>;

// ---- Tencent Cloud ----

const CloudRow = z.object({
  uuid: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** True until everything of it is in the cloud. */
  progress: z.boolean(),
  update: z.string(),
  nn: z.int(),
  duration: z.number(),
  size: z.number(),
  /** Of its segments, those that still wait here, and those that were lost. */
  waiting: z.int(),
  lost: z.int(),
});

export const CloudRecording = CloudRow.extend({ bucket: z.string(), region: z.string() });
export type CloudRecording = z.infer<typeof CloudRecording>;

/** The mp4 the cloud made of a recording. */
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
  /** The id and the address of the video in the cloud; empty until it is whole. */
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
      /** Where a new bucket is made. */
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
  bucketQuery: post('/terraform/v1/hooks/record/bucket/query', {
    summary: 'Get the S3 bucket for finished recordings, with a masked key, and pending uploads',
    data: RecordBucket.extend({ backlog: UploadBacklog }),
  }),
  bucketApply: post('/terraform/v1/hooks/record/bucket/apply', {
    summary: 'Set the S3 bucket for finished recordings',
    body: Apply,
    data: z.null(),
  }),
  bucketTest: post('/terraform/v1/hooks/record/bucket/test', {
    summary: 'Test a bucket by writing, reading and deleting a small object; nothing is saved',
    body: Apply,
    data: BucketTest,
  }),
  bucketRetry: post('/terraform/v1/hooks/record/bucket/retry', {
    summary: 'Retry pending uploads now',
    data: z.null(),
  }),
} as const;

/** What a bucket cannot do without. */
export function isWhole(bucket: Pick<S3Bucket, 'endpoint' | 'bucket' | 'accessKeyId' | 'secretAccessKey'>): boolean {
  return [bucket.endpoint, bucket.bucket, bucket.accessKeyId, bucket.secretAccessKey].every((text) => text !== '');
}

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && [username, password, search, hash].every((part) => part === '');
}
