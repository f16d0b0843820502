import * as z from 'zod';

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
export const UploadFailureField = z.enum([...uploadFailures, '']);

/** What waits to be uploaded, and how that goes. */
export const UploadBacklog = z.object({
  files: z.int(),
  bytes: z.number(),
  /** When the oldest of them was put in; empty: nothing waits. */
  since: z.string(),
  /** Of the last try, when it did not work; `error` holds the details. */
  failure: UploadFailureField,
  error: z.string(),
  nextTry: z.string(),
  /** Files that could not be kept because too much waited, since the server started. */
  lost: z.int(),
});
export type UploadBacklog = z.infer<typeof UploadBacklog>;
