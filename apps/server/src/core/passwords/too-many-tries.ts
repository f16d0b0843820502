import { WeirError } from '../errors.ts';

/** Refusal of a guess, with the time until the next is looked at. */
export function tooManyTries(waitMs: number): WeirError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new WeirError('too_many_tries', `too many attempts, try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}
