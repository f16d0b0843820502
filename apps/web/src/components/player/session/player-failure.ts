import type { SourceRefusal } from './player-source.ts';

/** Gone, not there yet, or out of reach: asking again may well help. */
const transientKinds = ['not-found', 'ended', 'network', 'busy'] as const;
/** This way of playing does not work in this browser or on this network; another might. */
const otherSourceKinds = ['codec', 'unsupported', 'peer'] as const;

export type FailureKind =
  | (typeof transientKinds)[number]
  | (typeof otherSourceKinds)[number]
  | 'refused'
  | SourceRefusal;

export interface PlayerFailure {
  readonly kind: FailureKind;
  /** What the server or the browser said, for whoever wants to know more. */
  readonly detail?: string | undefined;
  /** The server's wish for the next try. */
  readonly retryAfterSeconds?: number | undefined;
  /** Only what was opened is lost: the first try anew need not wait. */
  readonly canReopenAtOnce?: boolean | undefined;
}

export function isTransientFailure({ kind }: PlayerFailure): boolean {
  return transientKinds.some((candidate) => candidate === kind);
}

export function mayOtherSourceWork({ kind }: PlayerFailure): boolean {
  return otherSourceKinds.some((candidate) => candidate === kind);
}

export function toStatusFailure(status: number, detail?: string, retryAfterSeconds?: number): PlayerFailure {
  if (status === 404 || status === 410) return { kind: 'not-found', detail };
  if (status === 401 || status === 403) return { kind: 'refused', detail };
  if (status === 406 || status === 415 || status === 422) return { kind: 'codec', detail };
  if (status === 429 || status >= 500) return { kind: 'busy', detail, retryAfterSeconds };
  return { kind: status >= 400 ? 'refused' : 'network', detail };
}

const firstRetryMs = 1000;
const longestRetryMs = 5000;

/** At once where that may help, else 1, 2, 4 and then 5 s, or what the server asked for up to half a minute. */
export function retryAfterMs(attempt: number, failure: PlayerFailure): number {
  if (failure.canReopenAtOnce && attempt === 0) return 0;
  const asked = failure.retryAfterSeconds;
  if (asked !== undefined) return Math.min(30_000, Math.max(1, asked) * 1000);
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempt, 10));
}
