import type { ErrorKind, TalkProblem } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';

type Sentence = readonly [kind: ErrorKind, message: string, retryAfterSeconds?: number];

/** What guests are told: what to do, and nothing of the owner's. */
const sentences: Readonly<Record<TalkProblem, Sentence>> = {
  late: ['unavailable', 'the assistant did not answer in time, try again'],
  failed: ['unavailable', 'the assistant cannot answer now, try again'],
  'day-limit': ['unavailable', 'the limit for today is reached, try again tomorrow'],
  'minute-limit': ['unavailable', 'too much was said in a minute, wait a little'],
  crowd: ['unavailable', 'too many are here at once, try again', 1],
  unheard: ['invalid_input', 'nothing was understood, please say it again'],
  'no-audio': ['invalid_input', 'audio: cannot be decoded'],
  'text-only': ['invalid_input', 'this room takes text only'],
  ended: ['not_found', 'invalid sid: the conversation has ended, start a new one'],
  restarted: ['unavailable', 'the server was restarted before the answer came, try again'],
};

interface TalkFacts {
  /** What the log can be searched for. */
  readonly id?: string;
  readonly retryAfterSeconds?: number;
}

/** A failure in words for a guest; `why` has the same for pages in other languages. */
export function talkError(problem: TalkProblem, { id = '', retryAfterSeconds }: TalkFacts = {}): WeirError {
  const [kind, message, soon] = sentences[problem];
  const after = retryAfterSeconds ?? soon;
  return new WeirError(kind, id === '' ? message : `${message} (${id})`, {
    why: { kind: problem, fact: id },
    ...(after !== undefined && { retryAfterSeconds: after }),
  });
}
