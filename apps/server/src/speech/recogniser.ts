import type { AiCause } from '@weir/contract';
import { type Ai, AiError, type ProviderChoice, type Transcription } from '../ai/ai.ts';
import { answerWithin } from '../ai/answer-within.ts';
import { writeWav } from '../ai/wav.ts';
import type { Clock } from '../core/clock.ts';
import type { InterimPace } from './interim/interim-pace.ts';
import type { OpenUtterance } from './interim/open-utterance.ts';
import { Unanswered } from './unanswered.ts';

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
  readonly #unanswered: Unanswered;
  #said = '';
  #cause: AiCause | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#unanswered = new Unanswered({
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
    this.#askNext();
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

  #askNext(): void {
    const asked = this.#entries.filter(({ state }) => state === 'asked').length;
    for (const entry of this.#entries.filter(({ state }) => state === 'waiting').slice(0, mostAsked - asked)) {
      entry.state = 'asked';
      void this.#ask(entry);
    }
  }

  async #ask(entry: Entry): Promise<void> {
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
    this.#askNext();
  }

  /** Tries again where that may help: that is the business of the port. */
  #answerTo({ pcm, startMs, endMs }: Utterance): Promise<Transcription> {
    const { ai, clock, ask } = this.#context;
    const { provider, language } = ask();
    return answerWithin({ clock, ms: answerMs + (endMs - startMs), signal: this.#abort.signal }, (signal) =>
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
