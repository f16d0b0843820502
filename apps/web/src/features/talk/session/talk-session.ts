import type { Seat, TalkCalls } from './talk-calls.ts';
import { isFinal, isSessionLost, type TalkProblem, toTalkProblem } from './talk-problem.ts';
import { TalkSender } from './talk-sender.ts';
import { pollDelay } from './talk-state.ts';
import type { TalkStorage } from './talk-storage.ts';
import { pause, TalkStore } from './talk-store.ts';

interface Context {
  readonly calls: TalkCalls;
  readonly storage: TalkStorage;
  /** Only listens, and waits until others talk. */
  readonly isListener: boolean;
}

/**
 * Connection of one page to a room: joins, polls messages, sends utterances, and joins again after the server dropped
 * it.
 */
export class TalkSession {
  readonly store: TalkStore;
  readonly sender: TalkSender;
  readonly #context: Context;
  #end = new AbortController();
  #nap = new AbortController();
  #hiddenAtMs: number | undefined;
  #activeAtMs: number;
  #answeredAtMs: number;
  #isVerified = false;
  #failures = 0;
  #problem: TalkProblem | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.store = new TalkStore(context.storage.read());
    this.store.subscribe(() => context.storage.write(this.store.get()));
    this.#activeAtMs = this.#answeredAtMs = Date.now();
    this.sender = new TalkSender({ calls: context.calls, store: this.store, onActivity: () => this.wake() });
  }

  open(): void {
    this.#end = new AbortController();
    const { signal } = this.#end;
    this.#answeredAtMs = this.#activeAtMs = Date.now();
    void this.#run(signal);
    void this.sender.run(signal);
  }

  close(): void {
    this.#end.abort();
    this.#nap.abort();
  }

  /** Polls at once: after activity, when the page becomes visible, or when the network is back. */
  wake(): void {
    const now = Date.now();
    this.#activeAtMs = now;
    if (this.store.get().rest === 'silent') this.#answeredAtMs = now;
    this.store.dispatch({ type: 'resting', why: undefined });
    this.#nap.abort();
  }

  setVisible(isVisible: boolean): void {
    this.#hiddenAtMs = isVisible ? undefined : (this.#hiddenAtMs ?? Date.now());
    if (isVisible) this.wake();
  }

  /** Returns the voice for the greeting, or a problem for the form. */
  async enter(name: string, language: string): Promise<{ readonly voice: string } | TalkProblem> {
    const { seat } = this.store.get();
    let voice = '';
    try {
      if (seat) voice = (await this.#context.calls.rename(seat, name, language, this.#end.signal)).voice;
    } catch (error) {
      const problem = toTalkProblem(error);
      if (!isSessionLost(problem)) return problem;
      this.#leaveSeat(problem);
    }
    this.store.dispatch({ type: 'named', name, language });
    this.wake();
    return { voice };
  }

  /** Recognizes speech that is still going on. */
  async hear(audio: string, moment: 'speaking' | 'pausing', signal: AbortSignal) {
    const { seat, trouble } = this.store.get();
    if (!seat || trouble) throw new Error('nobody hears it now');
    return this.#context.calls.hear(seat, { audio, moment }, AbortSignal.any([signal, this.#end.signal]));
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.store.get().phase !== 'ended') {
      try {
        const { seat } = this.store.get();
        if (seat) await this.#readMessages(seat, signal);
        else await this.#join(signal);
        this.#answered();
      } catch (error) {
        if (signal.aborted) return;
        this.#fail(toTalkProblem(error));
      }
      await this.#pause(signal);
    }
  }

  async #readMessages(seat: Seat, signal: AbortSignal): Promise<void> {
    const { msgs, pending } = await this.#context.calls.messages(seat, this.store.get().after, signal);
    // A parallel call lost the seat meanwhile; these messages belong to the old conversation.
    if (this.store.get().seat !== seat) return;
    if (msgs.length > 0 || pending) this.#activeAtMs = Date.now();
    this.store.dispatch({ type: 'told', messages: msgs, isPending: pending });
  }

  async #join(signal: AbortSignal): Promise<void> {
    const { calls, isListener } = this.#context;
    if (!this.#isVerified) await calls.verify(signal);
    this.#isVerified = true;
    const user = isListener ? undefined : await calls.start(signal);
    const { last, isNamed, name, language } = this.store.get();
    const isBack = user !== undefined && last.sid === user.sid;
    const { sid, spid, voice } =
      isBack && last.spid !== '' ? { ...last, voice: '' } : await calls.subscribe(isListener || isBack, signal);
    const { userId = '', userSecret = '', aiAsrEnabled = false, aiAsrEdit = false, title = '' } = user ?? {};
    const seat = { sid, spid, userId, userSecret, aiAsrEnabled, aiAsrEdit, voice, title };
    // The room proposes a language to new guests.
    const proposed = user && !isNamed ? await calls.user(user, signal) : undefined;
    if (user && isNamed) await calls.rename(seat, name, language, signal);
    const known = { name: proposed?.username ?? name, language: proposed?.language ?? language };
    this.store.dispatch({ type: 'seated', seat, ...known, at: new Date().toISOString() });
  }

  #answered(): void {
    this.#answeredAtMs = Date.now();
    this.#failures = 0;
    this.#problem = undefined;
    this.store.dispatch({ type: 'answered' });
  }

  #fail(problem: TalkProblem): void {
    this.#failures += 1;
    this.#problem = problem;
    if (isSessionLost(problem) || problem.kind === 'no-stage') this.#answeredAtMs = Date.now();
    if (isFinal(problem)) {
      this.store.dispatch({ type: 'ended', problem });
      this.#context.storage.clear();
    } else if (isSessionLost(problem)) this.#leaveSeat(problem);
    else if (problem.kind === 'no-stage') this.store.dispatch({ type: 'waiting' });
    else this.store.dispatch({ type: 'troubled', problem });
  }

  #leaveSeat(problem: TalkProblem): void {
    this.store.dispatch({ type: 'unseated', problem });
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const { isPending, seat, phase } = this.store.get();
    // Joins again at once after the first loss.
    const isToReturn = !seat && this.#failures === 1 && this.#problem && isSessionLost(this.#problem);
    if (phase === 'ended' || signal.aborted || isToReturn) return;
    const pace = pollDelay({
      hiddenMs: this.#hiddenAtMs === undefined ? 0 : now - this.#hiddenAtMs,
      quietMs: now - this.#activeAtMs,
      silentMs: now - this.#answeredAtMs,
      isPending,
      // Keeps polling fast in an empty room, so that no first words are missed.
      failures: this.#problem?.kind === 'no-stage' ? 0 : this.#failures,
      retryAfterSeconds: this.#problem?.retryAfterSeconds,
    });
    this.#nap = new AbortController();
    const nap = AbortSignal.any([signal, this.#nap.signal]);
    if (typeof pace === 'number') return pause(pace, nap);
    this.store.dispatch({ type: 'resting', why: pace });
    await this.store.until(({ rest }) => rest === undefined, nap);
  }
}
