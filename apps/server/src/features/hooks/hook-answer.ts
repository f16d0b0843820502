import type { HookFailure } from '@weir/contract';
import { isRecord, parseJson } from '../../core/json.ts';

const reasonCharacters = 200;
const codeCharacters = 20;

interface Verdict {
  readonly isAccepted: boolean;
  readonly failure: HookFailure;
  /** Unexpected answer of the receiver: a status or a code. */
  readonly fact: string;
  /** Short, printable excerpt of the receiver's text. */
  readonly said: string;
  /** Why not, in a sentence. */
  readonly error: string;
  /** Returns the answer as JSON, also if it is something else. */
  readonly res: string;
}

/**
 * Accepted = status 200, and a body that is 0, or an object whose `code` is 0 or missing: what receivers written for this
 * interface already answer.
 */
export function judgeAnswer(status: number, body: Buffer): Verdict {
  const text = body.toString('utf8');
  const answer = parseJson(text);
  const res = answer === undefined ? JSON.stringify(text) : text;
  const accepted: Verdict = { isAccepted: true, failure: '', fact: '', said: '', error: '', res };
  const refused = (failure: HookFailure, sentence: string, fact = '', said = reasonOf(answer)): Verdict => {
    const error = said === '' ? sentence : `${sentence}: ${said}`;
    return { isAccepted: false, failure, fact, said, error, res };
  };
  if (status !== 200)
    return refused('status', `the receiver responded with status ${status} instead of 200`, String(status));
  if (answer === 0) return accepted;
  if (!isRecord(answer)) return refused('answer', 'the response is neither 0 nor a JSON object');
  if (answer.code === undefined || answer.code === 0) return accepted;
  const code = printable(String(answer.code), codeCharacters);
  return refused('code', `the receiver responded with code ${code}`, code);
}

/** The receiver's own words, if it gave any: `{code, data: {message}}` as we do, or `message` or `msg` beside the code. */
function reasonOf(answer: unknown): string {
  if (!isRecord(answer)) return '';
  const { data, message, msg } = answer;
  const said = [isRecord(data) ? data.message : undefined, message, msg].find((text) => typeof text === 'string');
  return printable(String(said ?? ''), reasonCharacters);
}

function printable(text: string, most: number): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
}
