import * as z from 'zod';

/** A piece of text and when it was spoken, on the clock of its stream. */
export const Cue = z.object({ startMs: z.number(), endMs: z.number(), text: z.string() });
export type Cue = z.infer<typeof Cue>;

/** Utterance with its cues; none where nothing was understood or no answer came. */
export interface Heard {
  /** Id of the publisher. */
  readonly epoch: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Milliseconds that recognising took, all tries together. */
  readonly tookMs: number;
  readonly language: string;
  readonly cues: readonly Cue[];
  /** True if it was reported before without cues, because no answer had come. */
  readonly isLate?: boolean;
}
