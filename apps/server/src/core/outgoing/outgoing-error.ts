/** Why a request got no answer, or none that may be used. */
export type OutgoingFailure =
  | 'bad-url'
  | 'forbidden-address'
  | 'own-network'
  | 'unknown-name'
  | 'no-connection'
  | 'bad-certificate'
  | 'timeout'
  | 'redirect'
  | 'too-large'
  | 'stopped';

/** Says what went wrong in a sentence for the administrator; it never holds the address, which may carry a secret. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly failure: OutgoingFailure;

  constructor(failure: OutgoingFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

/** What the system says of a connection that did not come about or broke. */
export function connectionError(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = reasons[code];
  if (why) return new OutgoingError('no-connection', why, error);
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    return new OutgoingError('bad-certificate', `the certificate is not trusted (${code})`, error);
  }
  if (/SSL|TLS|EPROTO/.test(code)) return new OutgoingError('no-connection', 'it does not speak TLS there', error);
  if (code.startsWith('HPE_')) return new OutgoingError('no-connection', 'the answer is not HTTP', error);
  return new OutgoingError('no-connection', `the connection failed${code === '' ? '' : ` (${code})`}`, error);
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there: the connection was refused',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before an answer came',
  EHOSTUNREACH: 'no way leads to that machine',
  ENETUNREACH: 'no way leads to that network',
  ETIMEDOUT: 'that machine does not answer',
};
