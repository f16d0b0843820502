import type { AiCause } from '@weir/contract';
import { AiError } from '../../../ai/ai.ts';
import { WeirError } from '../../../core/errors.ts';
import { toJobError } from '../../../processes/job-error.ts';

/**
 * What a failure means for the work. `item`: this one cannot be done, others can. `away`: nobody can be asked now, later perhaps. `end`: a
 * person has to mend something first.
 */
interface Setback {
  readonly kind: 'item' | 'away' | 'end';
  readonly cause: AiCause | null;
  /** In words, where no cause of AI says it. */
  readonly message: string;
}

const ofOne: ReadonlySet<AiCause> = new Set(['bad-answer', 'refused']);

export function setbackOf(error: unknown): Setback {
  if (error instanceof AiError) {
    const { cause, canRetry, message } = error;
    if (ofOne.has(cause)) return { kind: 'item', cause, message };
    return { kind: canRetry || cause === 'limit-reached' ? 'away' : 'end', cause, message };
  }
  if (error instanceof WeirError) {
    return { kind: error.kind === 'store_unavailable' ? 'away' : 'end', cause: null, message: error.message };
  }
  return { kind: 'end', cause: null, message: toJobError(error).message };
}
