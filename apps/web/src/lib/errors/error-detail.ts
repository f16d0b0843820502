import { ApiError } from '@weir/client';
import { errorCode, errorTable } from '@weir/contract';
import { CopyError } from '../copy.ts';

/** Kinds of error details, most specific first. */
export type ErrorDetail =
  | { kind: 'unknown' }
  | { kind: 'expired' | 'store' | 'https' | 'demo'; code: number; message: string }
  | { kind: 'code'; said: Said; url: string; status: string; code: number; message: string; body: string }
  | { kind: 'status'; url: string; status: string; body: string }
  | { kind: 'network'; url: string; name: string; message: string; stack: string }
  | { kind: 'error'; name: string; message: string; stack: string }
  | { kind: 'copy'; error: CopyError }
  | { kind: 'text'; text: string };

const explained = new Map<number, 'expired' | 'store' | 'https' | 'demo'>([
  [errorCode.token, 'expired'],
  [errorCode.store, 'store'],
  [errorCode.httpsElsewhere, 'https'],
  [errorCode.demo, 'demo'],
]);

/** Translated sentences for server errors. The server's own English message is shown in the details. */
type Said = 'server' | 'missing' | 'invalid' | 'gone' | 'busy' | 'password' | 'tooMany' | 'tooLarge' | 'refused';

const sentences: readonly (readonly [Said, (status: number, code: number) => boolean])[] = [
  ['tooMany', (status) => status === 429],
  ['tooLarge', (status) => status === 413],
  ['busy', (_status, code) => code === errorTable.booting.code || code === errorTable.upgrading.code],
  ['server', (status) => status >= 500],
  ['missing', (_status, code) => code === errorTable.missing_field.code],
  ['invalid', (status, code) => code === errorTable.invalid_input.code && status === errorTable.invalid_input.status],
  ['gone', (_status, code) => code === errorTable.not_found.code],
  ['password', (_status, code) => code === errorTable.wrong_password.code],
];

function sentenceFor(status: number, code: number): Said {
  return sentences.find(([, matches]) => matches(status, code))?.[0] ?? 'refused';
}

export function describeError(error: unknown): ErrorDetail {
  if (error === undefined || error === null) return { kind: 'unknown' };
  if (error instanceof ApiError) return describeApiError(error);
  if (error instanceof CopyError) return { kind: 'copy', error };
  if (error instanceof Error) return { kind: 'error', ...nameOf(error) };
  if (typeof error === 'object') return { kind: 'text', text: JSON.stringify(error, null, 2) };
  return { kind: 'text', text: String(error) };
}

function describeApiError(error: ApiError): ErrorDetail {
  const { url, code, message } = error;
  const kind = code === undefined ? undefined : explained.get(code);
  if (code !== undefined && kind) return { kind, code, message };
  if (error.status === undefined) return { kind: 'network', url, ...nameOf(error) };
  const status = `${error.status} ${error.statusText}`.trim();
  const body = typeof error.body === 'string' ? error.body : JSON.stringify(error.body, null, 2);
  return code === undefined
    ? { kind: 'status', url, status, body }
    : { kind: 'code', said: sentenceFor(error.status, code), url, status, code, message, body };
}

function nameOf(error: Error): { name: string; message: string; stack: string } {
  return { name: error.name, message: error.message, stack: error.stack ?? '' };
}
