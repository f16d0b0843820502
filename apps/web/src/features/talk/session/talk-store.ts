import { joinTexts } from './join-texts.ts';
import type { Entry, OutgoingUtterance, TalkAction, TalkState } from './talk-state.ts';

/** State of one page with subscriptions. */
export class TalkStore {
  #state: TalkState;
  readonly #listeners = new Set<() => void>();

  constructor(state: TalkState) {
    this.#state = state;
  }

  readonly get = (): TalkState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  dispatch(action: TalkAction): void {
    const next = talkReducer(this.#state, action);
    if (next === this.#state) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  /** Resolves when the condition holds or the signal aborts. */
  until(condition: (state: TalkState) => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!signal.aborted && !condition(this.#state)) return;
        this.#listeners.delete(check);
        signal.removeEventListener('abort', check);
        resolve();
      };
      this.#listeners.add(check);
      signal.addEventListener('abort', check);
      check();
    });
  }
}

const mostEntries = 500;
const mostRounds = 200;

/** Pure reducer: time and calls are elsewhere. */
function talkReducer(state: TalkState, action: TalkAction): TalkState {
  switch (action.type) {
    case 'seated':
      return seated(state, action);
    case 'unseated':
      return { ...state, seat: undefined, isPending: false, last: lastSeat(state, action) };
    case 'waiting':
      return { ...state, phase: 'waiting', trouble: undefined };
    case 'answered':
      return state.trouble ? { ...state, trouble: undefined } : state;
    case 'troubled':
      return state.trouble?.kind === action.problem.kind ? state : { ...state, trouble: action.problem };
    case 'named':
      return { ...state, name: action.name, language: action.language, isNamed: true, phase: 'live' };
    case 'told':
      return messagesReceived(state, action);
    case 'queued':
      return { ...state, outbox: [...state.outbox, action.utterance] };
    case 'changed':
      return withUtterance(state, action.id, (utterance) => ({ ...utterance, ...action.to }));
    case 'failed':
      return failed(state, action);
    case 'removed':
      return { ...state, outbox: state.outbox.filter(({ id }) => id !== action.id) };
    case 'drafted':
      return {
        ...state,
        outbox: state.outbox.filter(({ id }) => id !== action.id),
        draft: joinTexts(state.draft.trim(), action.text),
      };
    case 'typed':
      return { ...state, draft: action.draft };
    case 'roundFailed':
      return { ...state, problems: { ...state.problems, [action.rid]: action.problem } };
    case 'roundForgotten':
      return { ...state, problems: without(state.problems, action.rid) };
    case 'resting':
      return state.rest === action.why ? state : { ...state, rest: action.why };
    case 'ended':
      return { ...state, phase: 'ended', end: action.problem, seat: undefined, isPending: false, rest: undefined };
  }
}

/** Joins a conversation. Inserts a note if it is a new one; a new listener of the same one gets the missed messages. */
function seated(state: TalkState, { seat, name, language, at }: TalkAction & { type: 'seated' }): TalkState {
  const { last } = state;
  const isSame = last.sid === seat.sid;
  const isAnew = last.sid !== '' && !isSame && state.entries.length > 0;
  const note: Entry[] = isAnew ? [{ kind: 'note', word: 'anew', id: `anew-${seat.spid}`, at }] : [];
  return {
    ...state,
    seat,
    name,
    language,
    last: { sid: seat.sid, spid: seat.spid },
    after: isSame ? state.after : '',
    phase: state.isNamed || seat.userId === '' ? 'live' : 'naming',
    entries: [...state.entries, ...note],
    trouble: undefined,
    // Rounds of a lost conversation must start again.
    outbox: isSame ? state.outbox : state.outbox.map(requeue),
  };
}

function requeue(item: OutgoingUtterance): OutgoingUtterance {
  return { ...item, rid: '', isUnsure: false, state: item.state === 'failed' ? 'failed' : 'queued' };
}

/** The server may drop a user without its listener. */
function lastSeat({ last }: TalkState, { problem }: TalkAction & { type: 'unseated' | 'troubled' }): TalkState['last'] {
  return problem.kind === 'user' ? last : { ...last, spid: '' };
}

function messagesReceived(state: TalkState, { messages, isPending }: TalkAction & { type: 'told' }): TalkState {
  const quiet = state.isPending === isPending ? state : { ...state, isPending };
  if (messages.length === 0) return quiet;
  const known = new Set(state.entries.map((entry) => (entry.kind === 'said' ? entry.message.mid : '')));
  const fresh = messages.filter(({ mid }) => !known.has(mid));
  const repeated = new Set(fresh.filter(({ role }) => role === 'user').map(({ rid }) => rid));
  const arrived = state.outbox.filter(({ rid }) => repeated.has(rid));
  const late = arrived.flatMap(({ rid, problem }) => (problem ? [[rid, problem] as const] : []));
  return {
    ...quiet,
    after: messages.at(-1)?.mid ?? state.after,
    entries: [...state.entries, ...fresh.map((message) => ({ kind: 'said', message }) as const)].slice(-mostEntries),
    outbox: state.outbox.filter((item) => !arrived.includes(item)),
    problems: { ...state.problems, ...Object.fromEntries(late) },
  };
}

/** A recognized utterance is in the conversation already, so the failure belongs to its round. */
function failed(state: TalkState, { id, rid, problem }: TalkAction & { type: 'failed' }): TalkState {
  if (!state.outbox.some((utterance) => utterance.id === id))
    return { ...state, problems: { ...state.problems, [rid]: problem } };
  return withUtterance(state, id, (utterance) => ({ ...utterance, state: 'failed', problem }));
}

function withUtterance(
  state: TalkState,
  id: string,
  change: (utterance: OutgoingUtterance) => OutgoingUtterance,
): TalkState {
  const outbox = state.outbox.map((utterance) => (utterance.id === id ? change(utterance) : utterance));
  const rids = outbox.map(({ rid }) => rid).filter((rid) => rid !== '' && !state.mine.includes(rid));
  return { ...state, outbox, mine: [...state.mine, ...rids].slice(-mostRounds) };
}

function without<Value>(record: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}

/** Resolves after the delay, or early when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
