import { ApiError } from '@weir/client';
import { errorTable } from '@weir/contract';

/** A refused password, as the form explains it at the field. Anything else is not the form's to explain. */
type AttemptError = { kind: 'wrong' } | { kind: 'too-many'; seconds: number | undefined };

export function toAttemptError(error: unknown): AttemptError | undefined {
  if (!(error instanceof ApiError) || error.code !== errorTable.wrong_password.code) return undefined;
  if (error.status === errorTable.too_many_tries.status) return { kind: 'too-many', seconds: error.retryAfterSeconds };
  if (error.status === errorTable.wrong_password.status) return { kind: 'wrong' };
  return undefined;
}

/** The server asks for the one-time set-up code, or does not take the one given. */
export function isSetupCodeRefused(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.code === errorTable.wrong_setup_code.code &&
    error.status === errorTable.wrong_setup_code.status
  );
}
