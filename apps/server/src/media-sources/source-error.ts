import type { SourceFailure } from '@weir/contract';
import { WeirError } from '../core/errors.ts';

/** Unusable source: a message for scripts, and a code for which the console shows a remedy. */
export function sourceError(kind: SourceFailure, message: string, fact = ''): WeirError {
  return new WeirError('invalid_input', message, { why: { kind, fact } });
}
