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

/**
 * Says what went wrong in a sentence for the administrator; it never holds the address, which may carry a secret. `fact` is what
 * the same sentence needs in another language: a number, or the system's name of the fault.
 */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly failure: OutgoingFailure;
  readonly fact: string;

  constructor(
    failure: OutgoingFailure,
    message: string,
    { fact = '', cause }: { fact?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.failure = failure;
    this.fact = fact;
  }
}

/** Error for a connection that failed or broke. */
export function connectionError(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const more = { fact: code, cause: error };
  const why = reasons[code];
  if (why) return new OutgoingError('no-connection', why, more);
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    return new OutgoingError('bad-certificate', `the certificate is not trusted (${code})`, more);
  }
  const noTls = { ...more, fact: 'no-tls' };
  if (/SSL|TLS|EPROTO/.test(code))
    return new OutgoingError('no-connection', 'the other server does not support TLS on this port', noTls);
  const noHttp = { ...more, fact: 'no-http' };
  if (code.startsWith('HPE_')) return new OutgoingError('no-connection', 'the response is not HTTP', noHttp);
  return new OutgoingError('no-connection', `the connection failed${code === '' ? '' : ` (${code})`}`, more);
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before a response',
  EPIPE: 'the connection was closed before a response',
  EHOSTUNREACH: 'no network route to the host',
  ENETUNREACH: 'no network route to the host',
  ETIMEDOUT: 'the host is not responding',
};
