import type { PlayRefusal } from './play-refusal.ts';
import type { SourceRefusal } from './player-source.ts';

/** Ended, not yet live or unreachable: retrying may help. */
const transientKinds = ['not-found', 'ended', 'network', 'busy'] as const;
/** Not playable in this browser or network; another source may be. */
const otherSourceKinds = ['codec', 'unsupported', 'peer'] as const;

export type FailureKind =
  | (typeof transientKinds)[number]
  | (typeof otherSourceKinds)[number]
  | 'refused'
  | SourceRefusal;

export interface PlayerFailure {
  readonly kind: FailureKind;
  /** Message of the server or browser. */
  readonly detail?: string | undefined;
  /** Delay requested by the server. */
  readonly retryAfterSeconds?: number | undefined;
  /** Only this session is lost: the first retry needs no delay. */
  readonly canReopenAtOnce?: boolean | undefined;
  /** Rule of the stream's owner that is the reason. */
  readonly refusal?: PlayRefusal | undefined;
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

/** No delay if reopening may help at once; else 1, 2, 4 and then 5 s, or the server's Retry-After up to 30 s. */
export function retryAfterMs(attempt: number, failure: PlayerFailure): number {
  if (failure.canReopenAtOnce && attempt === 0) return 0;
  const asked = failure.retryAfterSeconds;
  if (asked !== undefined) return Math.min(30_000, Math.max(1, asked) * 1000);
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempt, 10));
}
