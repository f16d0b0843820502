import type { AiCause } from '@weir/contract';
import { type Ai, AiError, type ProviderChoice } from '../../../ai/ai.ts';
import type { ProviderQueues } from '../../../ai/provider-queues.ts';
import { withDeadline } from '../../../ai/with-deadline.ts';
import type { Clock } from '../../../core/clock.ts';
import { longestTranslation, readTranslation, translationMessages } from './translation-prompt.ts';

/** Text with the caller's key. */
interface Translatable {
  readonly text: string;
}

interface Context<Line extends Translatable> {
  readonly ai: Pick<Ai, 'chat'>;
  readonly clock: Clock;
  /** Shared by all translators. */
  readonly places: ProviderQueues;
  /** Read for each request. */
  readonly ask: () => { readonly provider: ProviderChoice; readonly from: string };
  readonly to: string;
  readonly onTranslated: (line: Line, text: string) => void;
}

interface Entry<Line> {
  readonly line: Line;
  readonly sinceMs: number;
  tries: number;
}

const mostWaiting = 24;
const mostInQuestion = 8;
const mostTries = 2;
const answerMs = 10_000;
const contextLines = 3;
const firstRestMs = 2000;
const longestRestMs = 30_000;
const keptDelays = 21;
/** Allowance for what models add to the lines: numbers, spaces, a greeting. */
const answerOverhead = 200;

/** Translates the lines of one stream into one language, in order, and leaves out what takes too long. */
export class Translator<Line extends Translatable> {
  readonly #context: Context<Line>;
  readonly #abort = new AbortController();
  #queue: Entry<Line>[] = [];
  #before: { text: string; translated: string }[] = [];
  #isWorking = false;
  #failures = 0;
  #rest: AbortController | undefined;
  #skipped = 0;
  #cause: AiCause | undefined;
  #delays: number[] = [];

  constructor(context: Context<Line>) {
    this.#context = context;
  }

  /** `cause`: of the last failure, until there is an answer again. `delayMs`: the middle of the last ones. */
  get facts(): { skipped: number; waiting: number; cause: AiCause | undefined; delayMs: number | undefined } {
    const sorted = this.#delays.toSorted((a, b) => a - b);
    const delayMs = sorted[sorted.length >> 1];
    return { skipped: this.#skipped, waiting: this.#queue.length, cause: this.#cause, delayMs };
  }

  add(line: Line): void {
    if (this.#abort.signal.aborted) return;
    this.#queue.push({ line, sinceMs: this.#context.clock.elapsedMs(), tries: 0 });
    const gone = this.#queue.length - mostWaiting;
    if (gone > 0) {
      this.#queue = this.#queue.slice(gone);
      this.#skipped += gone;
    }
    if (!this.#isWorking) void this.#work();
  }

  /** Ends a pause at once after a change of settings. */
  wake(): void {
    this.#rest?.abort();
  }

  close(): void {
    this.#abort.abort(new AiError('stopped', 'the translation was stopped'));
    this.#queue = [];
  }

  async #work(): Promise<void> {
    const { signal } = this.#abort;
    this.#isWorking = true;
    while (this.#queue.length > 0 && !signal.aborted) {
      const isDone = await this.#question();
      if (!isDone && !signal.aborted) await this.#pause();
    }
    this.#isWorking = false;
  }

  /** Returns false if no provider answered. */
  async #question(): Promise<boolean> {
    const { places } = this.#context;
    let leave: (() => void) | undefined;
    let entries: Entry<Line>[] = [];
    try {
      leave = await places.enter('translation', this.#abort.signal);
      entries = this.#nextEntries();
      const texts = await this.#translate(entries);
      this.#cause = undefined;
      this.#failures = 0;
      for (const [at, entry] of entries.entries()) this.#deliver(entry, texts[at] ?? '');
      return true;
    } catch (error) {
      this.#cause = error instanceof AiError ? error.cause : 'bad-answer';
      this.#failures++;
      for (const entry of entries) entry.tries++;
      this.#skipped += entries.filter(({ tries }) => tries >= mostTries).length;
      this.#queue = [...entries.filter(({ tries }) => tries < mostTries), ...this.#queue].slice(-mostWaiting);
      return false;
    } finally {
      leave?.();
    }
  }

  /** A failed line is requested alone, because it may have made the others fail. */
  #nextEntries(): Entry<Line>[] {
    const alone = this.#queue.findIndex(({ tries }) => tries > 0);
    return this.#queue.splice(0, alone === 0 ? 1 : alone > 0 ? Math.min(alone, mostInQuestion) : mostInQuestion);
  }

  #translate(entries: readonly Entry<Line>[]): Promise<string[]> {
    const { ai, clock, ask, to } = this.#context;
    const { provider, from } = ask();
    const lines = entries.map(({ line }) => oneLine(line.text));
    const next = oneLine(this.#queue[0]?.line.text ?? '');
    const messages = translationMessages({ from, to, before: this.#before, lines, next });
    const most = lines.reduce((sum, line) => sum + longestTranslation(line), answerOverhead);
    return withDeadline({ clock, ms: answerMs, signal: this.#abort.signal }, async (signal) => {
      let answer = '';
      for await (const piece of ai.chat({ feature: 'translation', provider, messages, signal })) {
        answer += piece;
        if (answer.length > most) throw new AiError('bad-answer', 'the translation is too long');
      }
      return readTranslation(answer, lines);
    });
  }

  #deliver({ line, sinceMs }: Entry<Line>, translated: string): void {
    const delayMs = Math.round(this.#context.clock.elapsedMs() - sinceMs);
    this.#delays = [...this.#delays, delayMs].slice(-keptDelays);
    this.#before = [...this.#before, { text: oneLine(line.text), translated }].slice(-contextLines);
    this.#context.onTranslated(line, translated);
  }

  async #pause(): Promise<void> {
    const ms = Math.min(longestRestMs, firstRestMs * 2 ** Math.min(this.#failures - 1, 10));
    this.#rest = new AbortController();
    await this.#context.clock
      .pause(ms, AbortSignal.any([this.#abort.signal, this.#rest.signal]))
      .catch(() => undefined);
    this.#rest = undefined;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
