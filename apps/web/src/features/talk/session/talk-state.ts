import type { TalkMessage } from '@weir/contract';
import type { Seat } from './talk-calls.ts';
import type { TalkProblem } from './talk-problem.ts';

/** Utterance that the server has not published yet. */
export interface OutgoingUtterance {
  readonly id: string;
  readonly text: string;
  /** Base64; empty if it was typed. */
  readonly audio: string;
  /** Text recognized during the speech and removed from the audio. */
  readonly heard: string;
  /** Preliminary text of the whole utterance. */
  readonly caption: string;
  /** The guest corrects it before it is sent. */
  readonly isDraft: boolean;
  readonly milliseconds: number;
  readonly mergeMessages: number;
  readonly at: string;
  readonly state: 'queued' | 'sending' | 'sent' | 'failed';
  /** Round id; empty until the server has assigned one. */
  readonly rid: string;
  /** An upload was interrupted, so its result is unknown. */
  readonly isUnsure: boolean;
  readonly tries: number;
  readonly problem: TalkProblem | undefined;
}

/** Notes that the page inserts between messages. */
type NoteWord = 'anew';

export type Entry =
  | { readonly kind: 'said'; readonly message: TalkMessage }
  | { readonly kind: 'note'; readonly word: NoteWord; readonly id: string; readonly at: string };

type Phase = 'starting' | 'waiting' | 'naming' | 'live' | 'ended';

export interface TalkState {
  readonly phase: Phase;
  readonly seat: Seat | undefined;
  /**
   * Latest seat, whose messages are on the screen, also after it was lost. `spid` is empty when the server has dropped
   * the listener.
   */
  readonly last: { readonly sid: string; readonly spid: string };
  /** Id of the latest received message. */
  readonly after: string;
  readonly name: string;
  readonly language: string;
  readonly isNamed: boolean;
  readonly entries: readonly Entry[];
  readonly outbox: readonly OutgoingUtterance[];
  /** Text being typed or corrected. */
  readonly draft: string;
  /** Rounds started on this page. */
  readonly mine: readonly string[];
  readonly problems: Readonly<Record<string, TalkProblem>>;
  readonly isPending: boolean;
  /** Current connection problem; the page keeps trying. */
  readonly trouble: TalkProblem | undefined;
  readonly rest: PollPause | undefined;
  readonly end: TalkProblem | undefined;
}

export const blankTalk: TalkState = {
  phase: 'starting',
  seat: undefined,
  last: { sid: '', spid: '' },
  after: '',
  name: '',
  language: '',
  isNamed: false,
  entries: [],
  outbox: [],
  draft: '',
  mine: [],
  problems: {},
  isPending: false,
  trouble: undefined,
  rest: undefined,
  end: undefined,
};

export type TalkAction =
  | {
      readonly type: 'seated';
      readonly seat: Seat;
      readonly name: string;
      readonly language: string;
      readonly at: string;
    }
  | { readonly type: 'answered' | 'waiting' }
  | { readonly type: 'unseated' | 'troubled'; readonly problem: TalkProblem }
  | { readonly type: 'named'; readonly name: string; readonly language: string }
  | { readonly type: 'told'; readonly messages: readonly TalkMessage[]; readonly isPending: boolean }
  | { readonly type: 'queued'; readonly utterance: OutgoingUtterance }
  | { readonly type: 'changed'; readonly id: string; readonly to: Partial<OutgoingUtterance> }
  | { readonly type: 'failed'; readonly id: string; readonly rid: string; readonly problem: TalkProblem }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'drafted'; readonly id: string; readonly text: string }
  | { readonly type: 'typed'; readonly draft: string }
  | { readonly type: 'roundFailed'; readonly rid: string; readonly problem: TalkProblem }
  | { readonly type: 'roundForgotten'; readonly rid: string }
  | { readonly type: 'resting'; readonly why: PollPause | undefined }
  | { readonly type: 'ended'; readonly problem: TalkProblem };

interface PollFacts {
  /** Time since the page became hidden; 0 = visible. */
  readonly hiddenMs: number;
  /** Time since the last activity in the room. */
  readonly quietMs: number;
  /** Time since the last response of the server. */
  readonly silentMs: number;
  readonly failures: number;
  readonly retryAfterSeconds: number | undefined;
  readonly isPending: boolean;
}

const minute = 60_000;
const longestMs = 10_000;

type PollPause = 'hidden' | 'quiet' | 'silent';

/** Delay before the next poll, or the reason to pause: no page polls forever. */
export function pollDelay(facts: PollFacts): number | PollPause {
  const { hiddenMs, quietMs, silentMs, failures, retryAfterSeconds, isPending } = facts;
  if (hiddenMs >= 10 * minute) return 'hidden';
  if (silentMs >= 15 * minute) return 'silent';
  if (quietMs >= 360 * minute) return 'quiet';
  if (failures > 0) return Math.min(longestMs, Math.max(1, retryAfterSeconds ?? 2 ** (failures - 1)) * 1000);
  // Polls fast while an answer is pending.
  if (isPending && quietMs < minute) return 300;
  return hiddenMs >= minute || quietMs >= 10 * minute ? 5000 : 1000;
}
