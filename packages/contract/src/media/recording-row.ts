import * as z from 'zod';

/** What is told of every recording, on this server's disk or in a cloud. */
export const RecordingRow = z.object({
  uuid: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** It is not finished yet. */
  progress: z.boolean(),
  /** When it last changed. */
  update: z.string(),
  /** Segments, their seconds and their bytes. */
  nn: z.int(),
  duration: z.number(),
  size: z.number(),
});
