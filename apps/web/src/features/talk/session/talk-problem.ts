import { ApiError } from '@weir/client';
import type { TalkProblem as Word } from '@weir/contract';
import type { TFunction } from 'i18next';

/** The server's word for why nothing came of something said. */
const serverKinds = [
  ...(['late', 'failed', 'day-limit', 'minute-limit', 'crowd', 'unheard', 'no-audio', 'text-only'] as const),
  ...(['ended', 'restarted'] as const),
] as const satisfies readonly Word[];

type ProblemKind =
  | (typeof serverKinds)[number]
  // The link is worth nothing any more.
  | ('token' | 'room' | 'assistant')
  // The server has forgotten this page or what it began to say, or nobody talks yet.
  | ('user' | 'listener' | 'round' | 'no-stage')
  | ('too-large' | 'silence' | 'other');

/** Why something did not work, as far as a page can do something about it. */
export interface TalkProblem {
  readonly kind: ProblemKind;
  /** By which the owner finds the failure in the log. */
  readonly id: string;
  /** The server's own words, for what this page does not know. */
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** What the server says without a word for it. */
const sentences: readonly [RegExp, ProblemKind][] = [
  [/^invalid room( token)?$/, 'token'],
  [/^there is no such room$/, 'room'],
  [/^assistant disabled$/, 'assistant'],
  [/^(invalid|empty) sid$/, 'ended'],
  [/^(invalid rid$|this round has no question)/, 'round'],
  [/^(invalid user|empty userId)$/, 'user'],
  [/^invalid spid$/, 'listener'],
  [/^no stage in room$/, 'no-stage'],
];

interface Why {
  readonly kind: string;
  readonly fact: string;
}

/** Of a round that failed after its first words, or of a call that was refused. */
export function parseTalkProblem(message: string, why?: Why | null): TalkProblem {
  const word = serverKinds.find((kind) => kind === why?.kind);
  const kind = word ?? sentences.find(([sentence]) => sentence.test(message))?.[1] ?? 'other';
  return { kind, id: why?.fact ?? '', message };
}

export function toTalkProblem(error: unknown): TalkProblem {
  if (!(error instanceof ApiError)) return { kind: 'other', id: '', message: String(error) };
  const { status, retryAfterSeconds } = error;
  if (status === undefined) return { kind: 'silence', id: '', message: error.message };
  const known = parseTalkProblem(error.message, error.why);
  if (known.kind !== 'other') return { ...known, retryAfterSeconds };
  // The front door, for a part that restarts.
  if (status >= 500) return { ...known, kind: 'silence', retryAfterSeconds };
  if (status === 401) return { ...known, kind: 'token' };
  return { ...known, kind: status === 413 ? 'too-large' : 'other' };
}

/** Nothing that this page does will help. */
export function isFinal({ kind }: TalkProblem): boolean {
  return kind === 'token' || kind === 'room' || kind === 'assistant';
}

/** The server has forgotten this page, which may come in again. */
export function isSessionLost({ kind }: TalkProblem): boolean {
  return kind === 'ended' || kind === 'user' || kind === 'listener';
}

/** Why something did not work, in the reader's language; what the page does not know stays in the server's words. */
export function problemText(t: TFunction, { kind, id, message }: TalkProblem): string {
  if (kind === 'other') return t('talk.problem.other', { message });
  return id === '' ? t(`talk.problem.${kind}`) : `${t(`talk.problem.${kind}`)} ${t('talk.problemId', { id })}`;
}
