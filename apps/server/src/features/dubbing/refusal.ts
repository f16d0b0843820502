import type { DubbingRefusal } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';

/** What somebody asked for cannot be done; the console says why in their language. */
export function refusal(fact: DubbingRefusal, message: string): WeirError {
  return new WeirError('invalid_input', message, { why: { kind: 'dubbing', fact } });
}
