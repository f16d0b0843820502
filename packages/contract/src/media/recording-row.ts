import * as z from 'zod';

/** Common fields of local and cloud recordings. */
export const RecordingRow = z.object({
  uuid: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Not finished yet. */
  progress: z.boolean(),
  /** Last change. */
  update: z.string(),
  /** Number of segments, their duration and bytes. */
  nn: z.int(),
  duration: z.number(),
  size: z.number(),
});
