import type { AiCause, DubbingFailure } from '@weir/contract';
import { AiError } from '../../../ai/ai.ts';
import { WeirError } from '../../../core/errors.ts';
import { toJobError } from '../../../process-reports/job-error.ts';

/**
 * What a failure means for the work. `item`: this one cannot be done, others can. `away`: nobody can be asked now, later perhaps. `end`: a
 * person has to mend something first.
 */
interface Setback {
  readonly kind: 'item' | 'away' | 'end';
  readonly cause: AiCause | null;
  readonly failure: DubbingFailure;
  /** In words, for the log and for whoever knows neither of the two. */
  readonly message: string;
}

const ofOne: ReadonlySet<AiCause> = new Set(['bad-answer', 'refused']);

export function setbackOf(error: unknown): Setback {
  if (error instanceof AiError) {
    const { cause, canRetry, message } = error;
    if (ofOne.has(cause)) return { kind: 'item', cause, failure: '', message };
    return { kind: canRetry || cause === 'limit-reached' ? 'away' : 'end', cause, failure: '', message };
  }
  const { message } = error instanceof WeirError ? error : toJobError(error);
  const isAway = error instanceof WeirError && error.kind === 'store_unavailable';
  return { kind: isAway ? 'away' : 'end', cause: null, failure: failureOf(error), message };
}

/** What a film could not be read, heard or made for. */
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
