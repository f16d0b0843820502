import { ApiError } from '@weir/client';
import type { TalkProblem as Word } from '@weir/contract';
import type { TFunction } from 'i18next';
import { notUnderstood } from './not-understood.ts';

/** Problem kinds that the server names. */
const serverKinds = [
  ...(['late', 'failed', 'day-limit', 'minute-limit', 'crowd', 'unheard', 'language', 'no-audio'] as const),
  ...(['text-only', 'ended', 'restarted'] as const),
] as const satisfies readonly Word[];

type ProblemKind =
  | (typeof serverKinds)[number]
  // Problems after which the link does not work any more.
  | ('token' | 'room' | 'assistant')
  // Problems after which the page can join again: it or its round was dropped, or the room is still empty.
  | ('user' | 'listener' | 'round' | 'no-stage')
  | ('too-large' | 'silence' | 'other');

/** Problem as far as the page can react to it. */
export interface TalkProblem {
  readonly kind: ProblemKind;
  /** Id under which the owner finds the failure in the log; of `language`, the code of the language. */
  readonly id: string;
  /** Original message, shown for unknown kinds. */
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** Messages that the server sends without a kind. */
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

/** Classifies a failed round or a refused call. */
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
  // The front door answers 5xx while a part restarts.
  if (status >= 500) return { ...known, kind: 'silence', retryAfterSeconds };
  if (status === 401) return { ...known, kind: 'token' };
  return { ...known, kind: status === 413 ? 'too-large' : 'other' };
}

/** No action of this page can help. */
export function isFinal({ kind }: TalkProblem): boolean {
  return kind === 'token' || kind === 'room' || kind === 'assistant';
}

/** The server dropped this page, which may join again. */
export function isSessionLost({ kind }: TalkProblem): boolean {
  return kind === 'ended' || kind === 'user' || kind === 'listener';
}

/** Repeating the speech cannot help, but typing can. */
export function mustType({ kind }: TalkProblem): boolean {
  return kind === 'language' || kind === 'text-only';
}

/** Translates a problem; unknown kinds show the server's message. */
export function problemText(t: TFunction, { kind, id, message }: TalkProblem): string {
  if (kind === 'other') return t('talk.problem.other', { message });
  // Sentence in the spoken language, because the guest may not know that of the page.
  if (kind === 'language') return notUnderstood(id) ?? t('talk.problem.language');
  return id === '' ? t(`talk.problem.${kind}`) : `${t(`talk.problem.${kind}`)} ${t('talk.problemId', { id })}`;
}
