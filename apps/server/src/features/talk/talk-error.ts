import type { ErrorKind, TalkProblem } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';

type Sentence = readonly [kind: ErrorKind, message: string, retryAfterSeconds?: number];

/** Texts for guests: what to do, without the owner's details. */
const sentences: Readonly<Record<TalkProblem, Sentence>> = {
  late: ['unavailable', 'the assistant did not answer in time, try again'],
  failed: ['unavailable', 'the assistant cannot answer now, try again'],
  'day-limit': ['unavailable', 'the daily limit has been reached, try again tomorrow'],
  'minute-limit': ['unavailable', 'too many messages in one minute, wait a moment'],
  crowd: ['unavailable', 'the room is busy, try again', 1],
  unheard: ['invalid_input', 'no speech was recognized, please try again'],
  'no-audio': ['invalid_input', 'audio: cannot be decoded'],
  'text-only': ['invalid_input', 'this room accepts text only'],
  ended: ['not_found', 'invalid sid: the conversation has ended, start a new one'],
  restarted: ['unavailable', 'the server restarted before the answer was ready, try again'],
};

interface TalkFacts {
  /** Id to search for in the log. */
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
