import * as z from 'zod';

/** Reasons of a failed upload, each with a text in the console. */
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
export const UploadFailureField = z.enum([...uploadFailures, '']);

/** Files waiting for upload. */
export const UploadBacklog = z.object({
  files: z.int(),
  bytes: z.number(),
  /** Time of the oldest file; empty if none waits. */
  since: z.string(),
  /** Result of the last failed attempt; details are in `error`. */
  failure: UploadFailureField,
  error: z.string(),
  nextTry: z.string(),
  /** Files dropped since the server start because too many waited. */
  lost: z.int(),
});
export type UploadBacklog = z.infer<typeof UploadBacklog>;
