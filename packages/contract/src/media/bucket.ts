import * as z from 'zod';
import { post } from '../endpoint.ts';
import { isPlainUrl } from '../plain-url.ts';
import { cloudLimits } from './cloud.ts';
import { UploadBacklog, UploadFailureField } from './uploads.ts';

const Text = z.string().trim().max(cloudLimits.textCharacters);
/** Visible ASCII, and the dots of a mask. */
const Key = Text.regex(/^[\x21-\x7e\u2022]*$/, 'must contain only ASCII characters and no spaces');

/** `https://host[:port][/path]` and nothing else. */
const Endpoint = Text.refine(
  (text) => text === '' || isPlainUrl(text),
  'must be an http or https URL without a user name, query or fragment',
);

const Prefix = Text.regex(/^[A-Za-z0-9!_.*'()/-]*$/, 'may contain only letters, digits and - _ . /').refine(
  (text) => !text.split('/').some((part) => part === '.' || part === '..'),
  'must not contain . or .. as a path segment',
);

/** Bucket of any S3-compatible storage. */
export const S3Bucket = z.object({
  endpoint: Endpoint,
  region: Text.regex(/^[A-Za-z0-9-]*$/, 'may contain only letters, digits and -'),
  bucket: Text.regex(/^[A-Za-z0-9._-]*$/, 'may contain only letters, digits and . _ -'),
  accessKeyId: Key,
  /** Returned masked; sending the mask back with the same access key keeps it. */
  secretAccessKey: Key,
  /** Prefix of file names. */
  prefix: Prefix,
  /** `https://endpoint/bucket/file` instead of `https://bucket.endpoint/file`. */
  pathStyle: z.boolean(),
});
export type S3Bucket = z.infer<typeof S3Bucket>;

/** S3 bucket for finished recordings. */
export const RecordBucket = S3Bucket.extend({
  enabled: z.boolean(),
  /** Keeps the local copy after the upload. */
  keepLocal: z.boolean(),
});
export type RecordBucket = z.infer<typeof RecordBucket>;

/** Initial settings. */
export const noBucket: RecordBucket = {
  enabled: false,
  keepLocal: true,
  endpoint: '',
  region: '',
  bucket: '',
  accessKeyId: '',
  secretAccessKey: '',
  prefix: '',
  pathStyle: true,
};

const bucketFields = {
  endpoint: Endpoint.default(''),
  region: S3Bucket.shape.region.default(''),
  bucket: S3Bucket.shape.bucket.default(''),
  accessKeyId: Key.default(''),
  secretAccessKey: Key.default(''),
  prefix: Prefix.default(''),
  pathStyle: z.boolean().default(true),
} as const;

/** A bucket as clients send it: what is left out is empty. */
export const S3BucketInput = z.object(bucketFields).default(() => z.object(bucketFields).parse({}));

const Apply = z
  .object({ enabled: z.boolean().default(false), keepLocal: z.boolean().default(true), ...bucketFields })
  .refine(({ enabled, ...rest }) => !enabled || isBucketComplete(rest), {
    message: 'endpoint, bucket, access key and secret key are required',
  });

const bucketTestSteps = ['write', 'read', 'delete', ''] as const;

/** Failed step and reason; empty on success. */
export const BucketTest = z.object({ step: z.enum(bucketTestSteps), failure: UploadFailureField, error: z.string() });
export type BucketTest = z.infer<typeof BucketTest>;

const uploadStates = ['waiting', 'uploading', 'done', 'failed'] as const;

/** Upload state of a recording. */
export const RecordingUpload = z.object({
  state: z.enum(uploadStates),
  /** Object name in the bucket. */
  key: z.string(),
  bucket: z.string(),
  bytes: z.number(),
  percent: z.number(),
  tries: z.int(),
  failure: UploadFailureField,
  error: z.string(),
  nextTry: z.string(),
  /** Upload time; empty before. */
  doneAt: z.string(),
});
export type RecordingUpload = z.infer<typeof RecordingUpload>;

export const bucketApi = {
  query: post('/terraform/v1/hooks/record/bucket/query', {
    summary: 'Get the S3 bucket for finished recordings, with a masked key, and pending uploads',
    data: RecordBucket.extend({ backlog: UploadBacklog }),
  }),
  apply: post('/terraform/v1/hooks/record/bucket/apply', {
    summary: 'Set the S3 bucket for finished recordings',
    body: Apply,
    data: z.null(),
  }),
  test: post('/terraform/v1/hooks/record/bucket/test', {
    summary: 'Test a bucket by writing, reading and deleting a small object; nothing is saved',
    body: Apply,
    data: BucketTest,
  }),
  retry: post('/terraform/v1/hooks/record/bucket/retry', {
    summary: 'Retry pending uploads now',
    data: z.null(),
  }),
} as const;

/** True if all required fields are set. */
export function isBucketComplete(
  bucket: Pick<S3Bucket, 'endpoint' | 'bucket' | 'accessKeyId' | 'secretAccessKey'>,
): boolean {
  return [bucket.endpoint, bucket.bucket, bucket.accessKeyId, bucket.secretAccessKey].every((text) => text !== '');
}
