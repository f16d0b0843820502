import * as z from 'zod';

/** A piece of text and when it was spoken, on the clock of its stream. */
export const Cue = z.object({ startMs: z.number(), endMs: z.number(), text: z.string() });
export type Cue = z.infer<typeof Cue>;

/** One utterance and what it came to; no cues where nothing was understood, or nobody answered. */
export interface Heard {
  /** Of the publisher whose voice it is. */
  readonly epoch: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Milliseconds that recognising took, all tries together. */
  readonly tookMs: number;
  readonly language: string;
  readonly cues: readonly Cue[];
  /** It was told before without cues, because nobody answered then. */
  readonly isLate?: boolean;
}
