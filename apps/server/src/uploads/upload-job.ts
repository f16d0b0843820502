import { uploadFailures } from '@weir/contract';
import * as z from 'zod';

/** File to upload, as the journal stores it. */
export const UploadJob = z.object({
  /** Owner, which knows the destination. */
  owner: z.string(),
  /** Id chosen by the owner; adding it twice has no effect. */
  id: z.string(),
  /** Files of one lane arrive in the order they were asked for. */
  lane: z.string(),
  file: z.string(),
  /** The file is the queue's, a link or copy in its spool, and removed afterwards. */
  isSpooled: z.boolean(),
  bytes: z.number(),
  key: z.string(),
  type: z.string(),
  atMs: z.number(),
  tries: z.int().default(0),
  nextTryAtMs: z.number().default(0),
  failure: z.enum([...uploadFailures, '']).default(''),
  error: z.string().default(''),
  /** Multipart upload: its id, part size, and the etags of finished parts. */
  uploadId: z.string().default(''),
  partBytes: z.number().default(0),
  etags: z.array(z.string()).default([]),
});
export type UploadJob = z.output<typeof UploadJob>;

/** Bytes of finished parts; 0 for a single request. */
export function sentBytes({ partBytes, etags, bytes }: Pick<UploadJob, 'partBytes' | 'etags' | 'bytes'>): number {
  return Math.min(bytes, partBytes * etags.length);
}

const firstRetryMs = 1000;
export const longestRetryMs = 60_000;

/** 1, 2, 4 … 60 seconds, and a little less or more, so that many do not come back at the same moment. */
export function retryMs(tries: number, random = Math.random()): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** (tries - 1)) * (0.9 + 0.2 * random);
}
