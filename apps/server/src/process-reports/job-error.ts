import type { Recording } from '@weir/contract';

type Failure = Exclude<Recording['failure'], ''>;

/** Reason of a failed job, in words for users. */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly failure: Failure;
  /** True if a retry would fail the same way. */
  readonly isFinal: boolean;

  constructor(
    failure: Failure,
    message: string,
    { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.failure = failure;
    this.isFinal = isFinal;
  }
}

export function toJobError(error: unknown): JobError {
  if (error instanceof JobError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return new JobError('no-space', 'the disk is full', { cause: error });
  return new JobError(
    'disk',
    code === '' ? 'an unexpected error occurred, see the server log' : `the disk reported an error (${code})`,
    {
      cause: error,
    },
  );
}
