import { talkLimits } from '@weir/contract';
import { joinTexts } from './join-texts.ts';
import type { Seat, TalkCalls } from './talk-calls.ts';
import { isSessionLost, parseTalkProblem, type TalkProblem, toTalkProblem } from './talk-problem.ts';
import type { OutgoingUtterance, TalkState } from './talk-state.ts';
import type { TalkStore } from './talk-store.ts';
import { pause } from './talk-store.ts';

interface Context {
  readonly calls: TalkCalls;
  readonly store: TalkStore;
  /** Called when new messages are likely. */
  readonly onActivity: () => void;
}

type Said = Pick<OutgoingUtterance, (typeof saidFields)[number]>;
const saidFields = ['text', 'audio', 'heard', 'caption', 'isDraft', 'milliseconds', 'mergeMessages'] as const;

const mostWaiting = 40;
const mostCharacters = 24 * 1024 * 1024;
const atOnce = 4;
/** Longest time for which slow recognition delays the next utterance. */
const headStartMs = 5000;
/** Longest wait for pending dictation before the question is asked. */
const dictatedMs = 60_000;
const followMs = 300_000;
const mostFollowed = 8;
const mostTries = 5;

const nothing = { text: '', audio: '', heard: '', milliseconds: 0, mergeMessages: 0 } as const;
/** Drafts are recognized one by one, so that their texts keep the spoken order. */
const draftMs = 240_000;

interface Failure {
  readonly rid: string;
  readonly seat: Seat;
  readonly problem: TalkProblem;
}

/** Sends utterances in order and exactly once, also after network failures. */
export class TalkSender {
  readonly #context: Context;
  #signal = AbortSignal.abort();
  #count = 0;
  #watched = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Returns false if too many utterances wait. */
  say(said: Said): boolean {
    const { store } = this.#context;
    const { outbox } = store.get();
    const characters = outbox.reduce((sum, { audio }) => sum + audio.length, said.audio.length);
    if (outbox.length >= mostWaiting || characters > mostCharacters) return false;
    this.#count += 1;
    const id = `${Date.now()}-${this.#count}`;
    const fresh = { state: 'queued', rid: '', isUnsure: false, tries: 0, problem: undefined } as const;
    store.dispatch({
      type: 'queued',
      utterance: { ...said, ...fresh, id, at: new Date().toISOString() },
    });
    return true;
  }

  retry(id: string): void {
    const to = { state: 'queued', rid: '', isUnsure: false, tries: 0, problem: undefined } as const;
    this.#context.store.dispatch({ type: 'changed', id, to });
  }

  discard(id: string): void {
    this.#context.store.dispatch({ type: 'removed', id });
  }

  /** Repeats a round without a complete answer. Sends its text again if the server has lost the round. */
  async askAgain(rid: string): Promise<void> {
    const { calls, store, onActivity } = this.#context;
    const { seat, entries } = store.get();
    const said = entries.flatMap((entry) => (entry.kind === 'said' ? [entry.message] : []));
    const text = said.find((message) => message.rid === rid && message.role === 'user')?.msg ?? '';
    if (!seat) return;
    store.dispatch({ type: 'roundForgotten', rid });
    try {
      const asked = calls.upload(seat, { ...nothing, rid, again: true }, this.#signal);
      onActivity();
      await asked;
      onActivity();
      void this.#watchAnswer(rid, seat);
    } catch (error) {
      const problem = toTalkProblem(error);
      const isForgotten = problem.kind === 'round' || problem.kind === 'ended';
      if (isForgotten && text !== '' && this.say({ ...nothing, caption: '', isDraft: false, text })) return;
      store.dispatch({ type: 'roundFailed', rid, problem });
    }
  }

  /** Ends the dictation and asks for an answer. */
  async flush(): Promise<void> {
    const { calls, store } = this.#context;
    await store.until(
      ({ outbox }) => !outbox.some(({ state }) => state === 'queued' || state === 'sending'),
      this.#timeout(dictatedMs),
    );
    const { seat } = store.get();
    if (!seat) return;
    try {
      const { rid } = await calls.begin(seat, this.#signal);
      await calls.upload(seat, { ...nothing, rid, flush: true }, this.#signal);
      this.#context.onActivity();
    } catch {
      // The server asks by itself after some seconds.
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const { store } = this.#context;
    while (!signal.aborted) {
      await store.until((state) => nextUtterance(state) !== undefined || state.phase === 'ended', signal);
      const state = store.get();
      const next = nextUtterance(state);
      if (signal.aborted || !next || !state.seat) return;
      store.dispatch({ type: 'changed', id: next.id, to: { state: 'sending', tries: next.tries + 1 } });
      void this.#send(next, state.seat);
      // The server processes the uploads of one user in order.
      const isUnderWay = ({ outbox }: TalkState) =>
        outbox.some(({ id, state: now }) => id === next.id && now === 'sending');
      await store.until((now) => !isUnderWay(now), this.#timeout(next.isDraft ? draftMs : headStartMs));
    }
  }

  async #send(utterance: OutgoingUtterance, seat: Seat): Promise<void> {
    const { calls, store } = this.#context;
    const { id, text, audio, heard, milliseconds, mergeMessages } = utterance;
    let { rid } = utterance;
    try {
      if (utterance.isDraft) return await this.#transcribeDraft(utterance, seat);
      if (utterance.isUnsure) {
        const fate = await this.#checkUpload(utterance, seat);
        if (fate === 'heard') return this.discard(id);
        if (fate !== 'lost') return store.dispatch({ type: 'failed', id, rid, problem: fate });
      }
      if (rid === '') {
        rid = (await calls.begin(seat, this.#signal)).rid;
        store.dispatch({ type: 'changed', id, to: { rid } });
      }
      await calls.upload(seat, { rid, text, audio, heard, milliseconds, mergeMessages }, this.#signal);
      store.dispatch({ type: 'changed', id, to: { state: 'sent' } });
      this.#context.onActivity();
      void this.#watchAnswer(rid, seat);
    } catch (error) {
      if (!this.#signal.aborted) this.#fail(utterance, { rid, seat, problem: toTalkProblem(error) });
    }
  }

  async #transcribeDraft({ id, audio, heard }: OutgoingUtterance, seat: Seat): Promise<void> {
    const { calls, store } = this.#context;
    const { text } = await calls.hear(seat, { audio, moment: 'done' }, this.#signal);
    const whole = joinTexts(heard, text);
    if (joinTexts(store.get().draft, whole).length <= talkLimits.textCharacters)
      return store.dispatch({ type: 'drafted', id, text: whole });
    // The text in the field must be sent first.
    store.dispatch({ type: 'changed', id, to: { caption: whole } });
    store.dispatch({ type: 'failed', id, rid: '', problem: { kind: 'too-large', id: '', message: '' } });
  }

  /** Queries the result of an interrupted upload. Repeating it in the same round is safe: the server counts it once. */
  async #checkUpload({ rid }: OutgoingUtterance, seat: Seat): Promise<'heard' | 'lost' | TalkProblem> {
    const { finished, message, why, again } = await this.#context.calls.round(seat, rid, this.#signal);
    if (finished && message === '') return 'heard';
    return !finished || (why?.kind === 'restarted' && !again) ? 'lost' : parseTalkProblem(message, why);
  }

  #fail({ id, tries, mergeMessages }: OutgoingUtterance, { rid, seat, problem }: Failure): void {
    const { store, onActivity } = this.#context;
    const now = store.get();
    // Sent again in another conversation meanwhile: only that try counts.
    if (now.outbox.some((item) => item.id === id && item.tries !== tries + 1)) return;
    if (problem.kind === 'silence') {
      store.dispatch({ type: 'troubled', problem });
      store.dispatch({ type: 'changed', id, to: { state: 'queued', rid, isUnsure: rid !== '' } });
    } else if (problem.kind === 'unheard' && mergeMessages > 0) {
      // Dictation sends every pause and the silence before Stop too.
      this.discard(id);
    } else if (problem.kind === 'language' && now.outbox.some((item) => item.problem?.kind === 'language')) {
      // Once is enough: hands-free speech would repeat it after each sentence.
      this.discard(id);
    } else if (isSessionLost(problem)) {
      store.dispatch({ type: 'changed', id, to: { state: 'queued', rid: '', isUnsure: false } });
      if (now.seat === seat) store.dispatch({ type: 'unseated', problem });
    } else if (problem.kind === 'round' && tries < mostTries) {
      store.dispatch({ type: 'changed', id, to: { state: 'queued', rid: '', isUnsure: false } });
    } else if (problem.kind === 'crowd' && tries < mostTries) {
      void this.#retryLater(id, problem);
    } else store.dispatch({ type: 'failed', id, rid, problem });
    onActivity();
  }

  async #retryLater(id: string, { retryAfterSeconds = 1 }: TalkProblem): Promise<void> {
    await pause(Math.min(10, retryAfterSeconds) * 1000, this.#signal);
    this.#context.store.dispatch({ type: 'changed', id, to: { state: 'queued' } });
  }

  /** Polls a round until its answer is complete or failed. */
  async #watchAnswer(rid: string, seat: Seat): Promise<void> {
    const { calls, store } = this.#context;
    if (this.#watched >= mostFollowed) return;
    this.#watched += 1;
    const endsAtMs = Date.now() + followMs;
    for (let pauseMs = 1000; Date.now() < endsAtMs; pauseMs = Math.min(3000, pauseMs * 1.5)) {
      await pause(pauseMs, this.#signal);
      if (this.#signal.aborted || store.get().phase === 'ended') break;
      const round = await calls.round(seat, rid, this.#signal).catch(toTalkProblem);
      const isOpen = 'finished' in round ? !round.finished : round.kind === 'silence';
      if (isOpen) continue;
      if (round.message !== '' && 'finished' in round)
        store.dispatch({ type: 'roundFailed', rid, problem: parseTalkProblem(round.message, round.why) });
      break;
    }
    this.#watched -= 1;
  }

  #timeout(ms: number): AbortSignal {
    const end = new AbortController();
    void pause(ms, this.#signal).then(() => end.abort());
    return end.signal;
  }
}

function nextUtterance({ seat, trouble, isNamed, outbox }: TalkState): OutgoingUtterance | undefined {
  const isFree = outbox.filter(({ state }) => state === 'sending').length < atOnce;
  return seat && !trouble && isNamed && isFree ? outbox.find(({ state }) => state === 'queued') : undefined;
}
