import * as z from 'zod';
import { post } from '../endpoint.ts';

export const transcriptSearchLimits = {
  /** Words of streams that were not recorded are kept this long; others as long as their recording. */
  keepDays: 30,
  /** Of the index; beyond it the oldest go. An hour of speech takes about a quarter of a megabyte. */
  bytes: 512 * 1024 ** 2,
  textCharacters: 2000,
  queryCharacters: 200,
  hits: 50,
} as const;

/** `speech`: somebody said it. `picture`: it was to be read in the picture. */
const wordKinds = ['speech', 'picture'] as const;
const TranscriptKind = z.enum(wordKinds);
export type TranscriptKind = z.infer<typeof TranscriptKind>;

export const TranscriptHit = z.object({
  /** Grows with time; what `before` means. */
  id: z.int(),
  kind: TranscriptKind,
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  date: z.string(),
  text: z.string(),
  /** Where in `text` the words are that were looked for: `[from, to)` in UTF-16 units, in order. */
  marks: z.array(z.tuple([z.int(), z.int()])),
  /** As the recogniser said it, or as it was set; may be empty. */
  language: z.string(),
  /** Of the recording it is in; null: it was not recorded. */
  recording: z.string().nullable(),
  /** Second within the recording. */
  second: z.number().nullable(),
});
export type TranscriptHit = z.infer<typeof TranscriptHit>;

export const transcriptSearchApi = {
  search: post('/terraform/v1/ai/words/search', {
    summary: 'Search transcripts and recognized text of streams, newest first',
    body: z.object({
      query: z.string().max(transcriptSearchLimits.queryCharacters).default(''),
      /** Only hits older than this one, by its id. */
      before: z.int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
    }),
    data: z.object({
      hits: z.array(TranscriptHit),
      /** There are older ones. */
      more: z.boolean(),
    }),
  }),
} as const;
