import { type ErrorKind, errorTable } from '@weir/contract';

interface Details {
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
}

/**
 * An expected failure: a kind from the contract's table and a sentence a person can act on. The sentence is sent to
 * the caller, so it never holds a secret, a path of this machine or what the caller typed.
 */
export class WeirError extends Error {
  override readonly name = 'WeirError';
  readonly kind: ErrorKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ErrorKind, message: string, { cause, retryAfterSeconds }: Details = {}) {
    super(message, { cause });
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get code(): number {
    return errorTable[this.kind].code;
  }

  get status(): number {
    return errorTable[this.kind].status;
  }
}
