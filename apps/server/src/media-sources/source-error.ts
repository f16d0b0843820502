import type { SourceFailure } from '@weir/contract';
import { WeirError } from '../core/errors.ts';

/** A source that cannot be used: a sentence for programs, and its name by which the console says what to do. */
export function sourceError(kind: SourceFailure, message: string, fact = ''): WeirError {
  return new WeirError('invalid_input', message, { why: { kind, fact } });
}
