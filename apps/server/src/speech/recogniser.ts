import type { AiCause } from '@weir/contract';
import { type Ai, AiError, type ProviderChoice, type Transcription } from '../ai/ai.ts';
import { writeWav } from '../ai/wav.ts';
import { withDeadline } from '../ai/with-deadline.ts';
import type { Clock } from '../core/clock.ts';
import type { InterimPace } from './interim/interim-pace.ts';
import type { OpenUtterance } from './interim/open-utterance.ts';

/** Utterance with its times on the stream's clock. */
export interface Utterance {
  readonly epoch: string;
  readonly startMs: number;
  /** Start of the voice: the audio before it helps recognisers and is no part of the cue's time. */
  readonly spokenFromMs: number;
  readonly endMs: number;
  /** 16 kHz, mono, s16. */
  readonly pcm: Uint8Array;
  /** Interim text that viewers have seen. */
  readonly shown?: OpenUtterance | undefined;
}

/** Recognition settings, read for every utterance so that changes apply at once. */
export interface SpeechAsk {
  readonly provider: ProviderChoice;
  readonly language: string;
}

interface Context {
  readonly ai: Pick<Ai, 'transcribe'>;
  readonly clock: Clock;
  readonly ask: () => SpeechAsk;
  readonly pace: Pick<InterimPace, 'begin'>;
  /** In the order of the utterances. `answer`: undefined when there is none, after all tries. Returns the text to go on from. */
  readonly onAnswer: (utterance: Utterance, answer: Transcription | undefined, tookMs: number) => string;
  /** Called with an answer for an utterance that was reported without one. */
  readonly onLate: (utterance: Utterance, answer: Transcription, tookMs: number) => void;
}

interface Entry {
  readonly utterance: Utterance;
  state: 'waiting' | 'asked' | 'done';
  answer: Transcription | undefined;
  tookMs: number;
}

const mostAsked = 3;
/** More than this wait only where nobody answers in time: the oldest is of least use. */
const mostWaiting = 4;
/** For all tries, beside the length of the audio: a recogniser that has to be started takes some seconds. */
const answerMs = 20_000;
/** Length of earlier text passed as context. */
const promptCharacters = 200;

/** Asks for the text of utterances: a few at a time, answers in order, and never for long. */
export class Recogniser {
  readonly #context: Context;
  readonly #entries: Entry[] = [];
  readonly #abort = new AbortController();
  readonly #unanswered: UnrecognisedUtterances;
  #said = '';
  #cause: AiCause | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#unanswered = new UnrecognisedUtterances({
      clock: context.clock,
      isIdle: () => this.#entries.length === 0,
      ask: (utterance) => this.#answerTo(utterance),
      onAnswer: (...late) => {
        this.#cause = undefined;
        context.onLate(...late);
      },
    });
  }

  add(utterance: Utterance): void {
    if (this.#abort.signal.aborted) return;
    this.#entries.push({ utterance, state: 'waiting', answer: undefined, tookMs: 0 });
    const waiting = this.#entries.filter(({ state }) => state === 'waiting');
    const [oldest] = waiting;
    if (oldest && waiting.length > mostWaiting) {
      oldest.state = 'done';
      this.#unanswered.add(oldest.utterance, 'dropped');
    }
    this.#recogniseNext();
    this.#deliver();
  }

  /** Start of the oldest utterance without a text. */
  get pendingFromMs(): number | undefined {
    return this.#entries[0]?.utterance.startMs;
  }

  get pending(): number {
    return this.#entries.length;
  }

  /** `cause`: of the last failure, until something is understood again. */
  get facts(): { readonly dropped: number; readonly failed: number; readonly cause: AiCause | undefined } {
    return { ...this.#unanswered.facts, cause: this.#cause };
  }

  /** Drops the context when the publisher changes. */
  forget(): void {
    this.#said = '';
  }

  close(): void {
    this.#abort.abort();
    this.#unanswered.close();
    this.#entries.length = 0;
  }

  #recogniseNext(): void {
    const asked = this.#entries.filter(({ state }) => state === 'asked').length;
    for (const entry of this.#entries.filter(({ state }) => state === 'waiting').slice(0, mostAsked - asked)) {
      entry.state = 'asked';
      void this.#recognise(entry);
    }
  }

  async #recognise(entry: Entry): Promise<void> {
    const { clock, pace } = this.#context;
    const { signal } = this.#abort;
    const began = clock.elapsedMs();
    const end = pace.begin();
    try {
      entry.answer = await this.#answerTo(entry.utterance);
      this.#cause = undefined;
    } catch (error) {
      this.#cause = error instanceof AiError ? error.cause : 'bad-answer';
      this.#unanswered.add(entry.utterance, 'failed', error);
    } finally {
      end();
    }
    if (signal.aborted) return;
    entry.tookMs = Math.round(clock.elapsedMs() - began);
    entry.state = 'done';
    this.#deliver();
    this.#recogniseNext();
  }

  /** Tries again where that may help: that is the business of the port. */
  #answerTo({ pcm, startMs, endMs }: Utterance): Promise<Transcription> {
    const { ai, clock, ask } = this.#context;
    const { provider, language } = ask();
    return withDeadline({ clock, ms: answerMs + (endMs - startMs), signal: this.#abort.signal }, (signal) =>
      ai.transcribe({
        feature: 'transcript',
        provider,
        language,
        signal,
        audio: writeWav(pcm),
        seconds: pcm.length / 32_000,
        ...(this.#said === '' ? {} : { prompt: this.#said }),
      }),
    );
  }

  #deliver(): void {
    for (let [first] = this.#entries; first?.state === 'done'; [first] = this.#entries) {
      this.#entries.shift();
      const text = this.#context.onAnswer(first.utterance, first.answer, first.tookMs);
      if (text !== '') this.#said = `${this.#said} ${text}`.trim().slice(-promptCharacters);
    }
  }
}

/** Reason without an answer: no provider answered, or too many utterances waited. */
type Why = 'failed' | 'dropped';

interface UnrecognisedEntry {
  readonly utterance: Utterance;
  readonly why: Why;
  readonly sinceMs: number;
}

interface UnrecognisedContext {
  readonly clock: Clock;
  /** True while no live speech waits. */
  readonly isIdle: () => boolean;
  readonly ask: (utterance: Utterance) => Promise<Transcription>;
  readonly onAnswer: (utterance: Utterance, answer: Transcription, tookMs: number) => void;
}

/** Two minutes as people speak, 7 MB of sound at most. */
const mostKept = 24;
/** Then its segment has left the queues, also where segments are long. */
const usefulMs = 180_000;
const firstPauseMs = 2000;
const longestPauseMs = 15_000;

/** Utterances that stayed without an answer. They are asked again, one at a time, while a provider that was away may return and their words are of use. */
class UnrecognisedUtterances {
  readonly #context: UnrecognisedContext;
  readonly #abort = new AbortController();
  readonly #count: Record<Why, number> = { failed: 0, dropped: 0 };
  #entries: UnrecognisedEntry[] = [];
  #isAsking = false;

  constructor(context: UnrecognisedContext) {
    this.#context = context;
  }

  /** Counts of utterances without an answer so far. */
  get facts(): Readonly<Record<Why, number>> {
    return { ...this.#count };
  }

  /** `error`: what became of it; what fails in the same way whenever it is asked is not kept. */
  add(utterance: Utterance, why: Why, error?: unknown): void {
    this.#count[why]++;
    if (error !== undefined && !(error instanceof AiError && error.canRetry)) return;
    const sinceMs = this.#context.clock.elapsedMs();
    this.#entries = [...this.#entries, { utterance, why, sinceMs }].slice(-mostKept);
    if (!this.#isAsking) void this.#recogniseAll();
  }

  close(): void {
    this.#abort.abort();
    this.#entries = [];
  }

  async #recogniseAll(): Promise<void> {
    const { clock, isIdle } = this.#context;
    const { signal } = this.#abort;
    this.#isAsking = true;
    let pauseMs = firstPauseMs;
    while (this.#entries.length > 0) {
      await clock.pause(pauseMs, signal).catch(() => undefined);
      this.#entries = this.#entries.filter(({ sinceMs }) => clock.elapsedMs() - sinceMs < usefulMs);
      const [oldest] = this.#entries;
      if (!oldest) break;
      if (!isIdle()) pauseMs = firstPauseMs;
      else pauseMs = (await this.#retry(oldest)) ? 0 : Math.min(longestPauseMs, Math.max(firstPauseMs, 2 * pauseMs));
    }
    this.#isAsking = false;
  }

  /** Returns false while no provider answers. */
  async #retry(entry: UnrecognisedEntry): Promise<boolean> {
    const { clock, ask, onAnswer } = this.#context;
    const beganMs = clock.elapsedMs();
    try {
      const answer = await ask(entry.utterance);
      if (this.#abort.signal.aborted) return false;
      this.#count[entry.why]--;
      onAnswer(entry.utterance, answer, Math.round(clock.elapsedMs() - beganMs));
    } catch (error) {
      if (error instanceof AiError && error.canRetry) return false;
    }
    this.#entries = this.#entries.filter((other) => other !== entry);
    return true;
  }
}
