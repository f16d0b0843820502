import type { UploadFailure } from '@weir/contract';
import { OutgoingError, type OutgoingFailure } from '../core/outgoing/outgoing-error.ts';

/** Failure of a bucket: a kind for which the console has a text, and details without secrets. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly failure: UploadFailure;
  /** The server's own name of it, `NoSuchUpload`; empty when it gave none. */
  readonly code: string;

  constructor(failure: UploadFailure, message: string, { code = '', cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.failure = failure;
    this.code = code;
  }
}

/** Error codes of S3 and compatible storages. */
const failures: Record<string, UploadFailure> = {
  InvalidAccessKeyId: 'wrong-key',
  SignatureDoesNotMatch: 'wrong-key',
  InvalidSecurity: 'wrong-key',
  InvalidToken: 'wrong-key',
  ExpiredToken: 'wrong-key',
  AccessDenied: 'denied',
  AllAccessDisabled: 'denied',
  AccountProblem: 'denied',
  NoSuchBucket: 'no-bucket',
  InvalidBucketName: 'no-bucket',
  PermanentRedirect: 'wrong-region',
  TemporaryRedirect: 'wrong-region',
  AuthorizationHeaderMalformed: 'wrong-region',
  IllegalLocationConstraintException: 'wrong-region',
  RequestTimeTooSkewed: 'clock',
  QuotaExceeded: 'full',
  InsufficientCapacity: 'full',
  XMinioStorageFull: 'full',
  EntityTooLarge: 'full',
  SlowDown: 'busy',
  ServiceUnavailable: 'busy',
  InternalError: 'busy',
  RequestTimeout: 'busy',
};

const byStatus: Record<number, UploadFailure> = { 401: 'wrong-key', 403: 'denied', 404: 'no-bucket', 507: 'full' };

/** Error for an unsuccessful answer. Only the error's code is copied: messages may repeat what was sent. */
export function parseS3Error(status: number, body: string): S3Error {
  const [, code = ''] = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(body) ?? [];
  const failure =
    failures[code] ?? (status >= 300 && status < 400 ? 'wrong-region' : undefined) ?? byStatus[status] ?? 'refused';
  const isBusy = failure === 'refused' && status >= 500;
  return new S3Error(isBusy ? 'busy' : failure, `the storage responded with ${status}${code && ` ${code}`}`, { code });
}

const byOutgoing: Record<OutgoingFailure, UploadFailure> = {
  'bad-url': 'bad-address',
  'forbidden-address': 'bad-address',
  'own-network': 'bad-address',
  'unknown-name': 'unknown-name',
  'no-connection': 'no-connection',
  'bad-certificate': 'bad-certificate',
  timeout: 'no-connection',
  redirect: 'wrong-region',
  'too-large': 'refused',
  stopped: 'stopped',
};

export function toS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  if (error instanceof OutgoingError) return new S3Error(byOutgoing[error.failure], error.message, { cause: error });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return new S3Error('gone', 'the file no longer exists', { cause: error });
  return new S3Error(
    'disk',
    `this server could not read the file or update its upload journal${code && ` (${code})`}`,
    {
      cause: error,
    },
  );
}
