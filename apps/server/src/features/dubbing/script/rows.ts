import { AiCause, DubbingFailure, DubbingStatus } from '@weir/contract';
import * as z from 'zod';

/** A stretch of the film that is sent to be understood as a whole. Seconds. */
export const PartRow = z.object({
  kind: z.literal('part'),
  index: z.int(),
  start: z.number(),
  end: z.number(),
  state: z.enum(['open', 'done', 'failed']),
  tries: z.int().default(0),
});
export type PartRow = z.output<typeof PartRow>;

const SpokenRow = z.object({
  uuid: z.string(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  partStart: z.number(),
});
export type SpokenRow = z.output<typeof SpokenRow>;

/** Each result stores its input: `translated` its text, the voice its words and speaker. */
export const GroupRow = z.object({
  kind: z.literal('group'),
  uuid: z.string(),
  segments: z.array(SpokenRow).min(1),
  start: z.number(),
  end: z.number(),
  translated: z.string().default(''),
  translatedOf: z.string().default(''),
  translatedAt: z.string().default(''),
  /** Translation by AI; any other text was written by a person. */
  suggested: z.string().default(''),
  rephrased: z.string().default(''),
  rephrasedOf: z.string().default(''),
  rephrasedAt: z.string().default(''),
  /** Attempts to shorten `translated`. */
  shortenings: z.int().default(0),
  voice: z
    .object({
      /** Names its files. */
      name: z.string(),
      text: z.string(),
      /** Speaker as one text: provider, model and voice. */
      by: z.string(),
      /** Duration as spoken, and after the change of tempo. */
      natural: z.number(),
      seconds: z.number(),
      tempo: z.number(),
      at: z.string(),
    })
    .nullable()
    .default(null),
  /** Number of times that the owner asked for a new take of the same words. */
  takes: z.int().default(0),
  cause: AiCause.nullable().default(null),
  /** Failures in a row that trying again may mend. */
  failures: z.int().default(0),
  revision: z.int().default(0),
});
export type GroupRow = z.output<typeof GroupRow>;

export const ScriptRow = z.discriminatedUnion('kind', [PartRow, GroupRow]);
export type ScriptRow = z.output<typeof ScriptRow>;

export const TaskRow = z.object({
  uuid: z.string(),
  session: z.string(),
  status: DubbingStatus,
  /** Desired state: a task that ran when the server stopped is resumed. */
  isWanted: z.boolean(),
  cause: AiCause.nullable().default(null),
  failure: DubbingFailure.default(''),
  message: z.string().default(''),
  language: z.string().default(''),
});
export type TaskRow = z.output<typeof TaskRow>;

export function rowKey(row: ScriptRow): string {
  return row.kind === 'part' ? `part-${String(row.index).padStart(5, '0')}` : `group-${row.uuid}`;
}
