import { ApiError, Client } from '@weir/client';
import { errorCode } from '@weir/contract';
import { consumePrefetched } from './browser/prefetched-calls.ts';
import { xsrfHeaders } from './browser/xsrf.ts';
import { readCredentials } from './credentials.ts';

export const client = new Client({
  bearer: () => readCredentials()?.bearer,
  headers: xsrfHeaders,
  fetch: (input, init) => consumePrefetched(String(input), init) ?? globalThis.fetch(input, init),
});

export function isSignInEnded(error: unknown): boolean {
  return error instanceof ApiError && error.code === errorCode.token;
}

/** The server is running but cannot read its settings. */
export function isStoreUnavailable(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === errorCode.store;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Retrying may help: the server did not answer, or answered while starting or restarting. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === undefined || error.status >= 500);
}

/** No answer, or one from the front door on behalf of a process that is still starting. */
export function isServerUnreachable(error: unknown): boolean {
  return error instanceof ApiError && (error.status === undefined || [502, 503, 504].includes(error.status));
}

const longestRetryMs = 10_000;

/** Waits 1, 2, 4, 8 and then 10 s. A Retry-After of the server is used up to the same limit. */
export function retryDelayMs(failures: number, error?: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return Math.min(longestRetryMs, asked === undefined ? 1000 * 2 ** failures : Math.max(1, asked) * 1000);
}
