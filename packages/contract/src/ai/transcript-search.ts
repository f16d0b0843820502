import * as z from 'zod';
import { post } from '../endpoint.ts';

export const transcriptSearchLimits = {
  /** Retention of unrecorded streams; recorded ones are kept with the recording. */
  keepDays: 30,
  /** Limit of the index, beyond which the oldest are deleted. An hour of speech takes about 256 KB. */
  bytes: 512 * 1024 ** 2,
  textCharacters: 2000,
  queryCharacters: 200,
  hits: 50,
} as const;

/** `speech`: recognised speech. `picture`: text found by OCR. */
const wordKinds = ['speech', 'picture'] as const;
const TranscriptKind = z.enum(wordKinds);
export type TranscriptKind = z.infer<typeof TranscriptKind>;

export const TranscriptHit = z.object({
  /** Ascending in time; the value for `before`. */
  id: z.int(),
  kind: TranscriptKind,
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  date: z.string(),
  text: z.string(),
  /** Matches in `text`: `[from, to)` in UTF-16 units, in order. */
  marks: z.array(z.tuple([z.int(), z.int()])),
  /** Detected or configured language; may be empty. */
  language: z.string(),
  /** Recording id; null if not recorded. */
  recording: z.string().nullable(),
  /** Position in the recording. */
  second: z.number().nullable(),
});
export type TranscriptHit = z.infer<typeof TranscriptHit>;

export const transcriptSearchApi = {
  search: post('/terraform/v1/ai/words/search', {
    summary: 'Search transcripts and recognized text of streams, newest first',
    body: z.object({
      query: z.string().max(transcriptSearchLimits.queryCharacters).default(''),
      /** Returns only older hits than this id. */
      before: z.int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
    }),
    data: z.object({
      hits: z.array(TranscriptHit),
      /** More hits exist. */
      more: z.boolean(),
    }),
  }),
} as const;
