import type { DubbingRefusal } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';

/** Refuses a request; the console explains it in the user's language. */
export function refusal(fact: DubbingRefusal, message: string): WeirError {
  return new WeirError('invalid_input', message, { why: { kind: 'dubbing', fact } });
}
