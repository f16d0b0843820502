import type { AiCause, DubbingFailure } from '@weir/contract';
import { AiError } from '../../../ai/ai.ts';
import { WeirError } from '../../../core/errors.ts';
import { toJobError } from '../../../process-reports/job-error.ts';

/**
 * Consequence of a failure. `item`: only this group cannot be done. `away`: the provider is unreachable for now. `end`:
 * a person must fix something first.
 */
interface WorkFailure {
  readonly kind: 'item' | 'away' | 'end';
  readonly cause: AiCause | null;
  readonly failure: DubbingFailure;
  /** Text for the log and for clients that know neither code. */
  readonly message: string;
}

const ofOne: ReadonlySet<AiCause> = new Set(['bad-answer', 'refused']);

export function classifyFailure(error: unknown): WorkFailure {
  if (error instanceof AiError) {
    const { cause, canRetry, message } = error;
    if (ofOne.has(cause)) return { kind: 'item', cause, failure: '', message };
    return { kind: canRetry || cause === 'limit-reached' ? 'away' : 'end', cause, failure: '', message };
  }
  const { message } = error instanceof WeirError ? error : toJobError(error);
  const isAway = error instanceof WeirError && error.kind === 'store_unavailable';
  return { kind: isAway ? 'away' : 'end', cause: null, failure: failureOf(error), message };
}

/** Reason that a video could not be read, transcribed or exported. */
function failureOf(error: unknown): DubbingFailure {
  if (error instanceof TooManyGroupsError) return 'too-many-groups';
  if (error instanceof WeirError) return error.kind === 'not_found' ? 'film-gone' : 'failed';
  const { failure } = toJobError(error);
  return failure === 'no-space' || failure === 'disk' || failure === 'ffmpeg' || failure === 'ffmpeg-missing'
    ? failure
    : 'failed';
}

export class TooManyGroupsError extends WeirError {
  constructor(most: number) {
    super('invalid_input', `a video can have at most ${most} groups`);
  }
}
