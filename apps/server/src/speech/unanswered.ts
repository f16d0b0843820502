import { AiError, type Transcription } from '../ai/ai.ts';
import type { Clock } from '../core/clock.ts';
import type { Utterance } from './recogniser.ts';

/** Why there is no answer: nobody gave one, or too many waited. */
type Why = 'failed' | 'dropped';

interface Entry {
  readonly utterance: Utterance;
  readonly why: Why;
  readonly sinceMs: number;
}

interface Context {
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
export class Unanswered {
  readonly #context: Context;
  readonly #abort = new AbortController();
  readonly #count: Record<Why, number> = { failed: 0, dropped: 0 };
  #entries: Entry[] = [];
  #isAsking = false;

  constructor(context: Context) {
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
    if (!this.#isAsking) void this.#askAll();
  }

  close(): void {
    this.#abort.abort();
    this.#entries = [];
  }

  async #askAll(): Promise<void> {
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
      else pauseMs = (await this.#asks(oldest)) ? 0 : Math.min(longestPauseMs, Math.max(firstPauseMs, 2 * pauseMs));
    }
    this.#isAsking = false;
  }

  /** False: there is still nobody. */
  async #asks(entry: Entry): Promise<boolean> {
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
