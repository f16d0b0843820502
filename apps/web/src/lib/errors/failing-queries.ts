import { CancelledError, type Query, type QueryCache } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { errorCode } from '@weir/contract';
import { isServerUnreachable } from '../api.ts';
import { isReported, reportError, withdrawError } from './error-report.ts';

/** Restarts are over after one or two retries; only a longer outage is worth an alert. */
const silentTries = 4;

/**
 * Reports failing queries above the page, once per query and cause, and withdraws the report when they recover or become unused. A
 * dismissed alert does not return with the next poll.
 */
export function reportFailingQueries(cache: QueryCache): void {
  const reported = new Map<Query, string>();

  const withdraw = (query: Query) => {
    const cause = reported.get(query);
    if (cause === undefined) return;
    reported.delete(query);
    if (![...reported.values()].includes(cause)) withdrawError(cause);
  };
  const fail = (query: Query, error: unknown) => {
    if (query.meta?.quiet || !query.isActive() || error instanceof CancelledError) return;
    // A demonstration refuses what costs much; the page stays as it is.
    if (error instanceof ApiError && error.code === errorCode.demo) return;
    if (isServerUnreachable(error) && query.state.fetchFailureCount < silentTries) return;
    const cause = describeCause(error);
    if (reported.get(query) === cause) return;
    withdraw(query);
    reported.set(query, cause);
    if (!isReported(cause)) reportError(error, cause);
  };

  cache.subscribe((event) => {
    const { query, type } = event;
    if (type === 'removed' || (type === 'observerRemoved' && !query.isActive())) withdraw(query);
    if (type !== 'updated') return;
    const { action } = event;
    if (action.type === 'success') withdraw(query);
    if (action.type === 'failed' || action.type === 'error') fail(query, action.error);
  });
}

/** Codes with their own text, and an unreachable server, count as one cause for all URLs. */
function describeCause(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  if (isServerUnreachable(error)) return 'silence';
  const { code, url, status } = error;
  return Object.values<number | undefined>(errorCode).includes(code) ? `code ${code}` : `${url} ${status} ${code}`;
}
