import { type ErrorKind, errorTable } from '@weir/contract';

interface Details {
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  /** Key and value for translating the sentence into another language. */
  readonly why?: { readonly kind: string; readonly fact: string };
}

/**
 * An expected failure: a kind from the contract's table and a sentence a person can act on. The sentence is sent to
 * the caller, so it never holds a secret, a path of this machine or what the caller typed.
 */
export class WeirError extends Error {
  override readonly name = 'WeirError';
  readonly kind: ErrorKind;
  readonly retryAfterSeconds: number | undefined;
  readonly why: Details['why'] | undefined;

  constructor(kind: ErrorKind, message: string, { cause, retryAfterSeconds, why }: Details = {}) {
    super(message, { cause });
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
    this.why = why;
  }

  get code(): number {
    return errorTable[this.kind].code;
  }

  get status(): number {
    return errorTable[this.kind].status;
  }
}
