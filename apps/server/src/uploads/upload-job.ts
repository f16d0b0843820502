import { uploadFailures } from '@weir/contract';
import * as z from 'zod';

/** One file on its way, as the journal keeps it. */
export const UploadJob = z.object({
  /** Who asked for it, and knows where it goes. */
  owner: z.string(),
  /** Of the owner: asking twice for the same is asking once. */
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
  /** Of an upload in parts: its id, the size of a part, and what the storage called those it has. */
  uploadId: z.string().default(''),
  partBytes: z.number().default(0),
  etags: z.array(z.string()).default([]),
});
export type UploadJob = z.output<typeof UploadJob>;

/** Of parts, those that are there; while one request carries it all, none. */
export function sentBytes({ partBytes, etags, bytes }: Pick<UploadJob, 'partBytes' | 'etags' | 'bytes'>): number {
  return Math.min(bytes, partBytes * etags.length);
}

const firstRetryMs = 1000;
export const longestRetryMs = 60_000;

/** 1, 2, 4 … 60 seconds, and a little less or more, so that many do not come back at the same moment. */
export function retryMs(tries: number, random = Math.random()): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** (tries - 1)) * (0.9 + 0.2 * random);
}
