import type { AiCapability, AiFeature } from '@weir/contract';
import type { Clock } from '../core/clock.ts';
import { AiError, type ProviderChoice } from './ai.ts';
import type { AiMeter } from './meter/ai-meter.ts';
import { ProviderQueues } from './provider-queues.ts';
import type { Provider, Providers } from './providers.ts';

interface Options {
  readonly most: number;
  readonly firstMs: number;
  /** Longest pause that a provider may request. */
  readonly longestMs: number;
  readonly random: () => number;
}

const usual: Options = { most: 3, firstMs: 500, longestMs: 20_000, random: Math.random };

/** Repeats a request that may succeed later: after a growing, jittered pause, or after the pause that the provider names. */
async function withTries<T>(
  clock: Pick<Clock, 'pause'>,
  signal: AbortSignal,
  work: () => Promise<T>,
  { most, firstMs, longestMs, random }: Options = usual,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AiError) || !error.canRetry || tried >= most || signal.aborted) throw error;
      // Between half of it and all of it, so that many who failed at once do not come back at once.
      const waitMs = firstMs * 2 ** (tried - 1) * (0.5 + random() / 2);
      const pauseMs = Math.max(waitMs, error.retryAfterMs ?? 0);
      if (pauseMs > longestMs) throw error;
      await clock.pause(pauseMs, signal).catch(() => {
        throw new AiError('stopped', 'the request was stopped');
      });
    }
  }
}

interface Context {
  readonly providers: Providers;
  readonly meter: AiMeter;
  readonly clock: Clock;
  readonly lanes?: ProviderQueues;
}

/** One request to AI of any kind. */
interface Question {
  readonly feature: AiFeature;
  readonly need: AiCapability;
  readonly provider?: ProviderChoice | undefined;
  readonly language?: string;
  /** Duration of the audio. */
  readonly seconds?: number;
  readonly signal: AbortSignal;
}

/** A place with the provider that was counted; to be ended, once. */
interface Ticket {
  end(result: { readonly tokens?: number; readonly error?: unknown }): void;
}

/** Path of every request: choose a provider, wait for a slot, meter, retry. */
export class AiCalls {
  readonly #context: Context;
  readonly #lanes: ProviderQueues;

  constructor(context: Context) {
    this.#context = context;
    this.#lanes = context.lanes ?? new ProviderQueues();
  }

  /** Performs one request. `ask` also returns the number of tokens used, if known. */
  async run<T>(question: Question, ask: (provider: Provider) => Promise<{ value: T; tokens?: number }>): Promise<T> {
    return this.#trying(question, async (provider) => {
      const ticket = await this.#enter(question, provider);
      try {
        const { value, tokens } = await ask(provider);
        ticket.end(tokens === undefined ? {} : { tokens });
        return value;
      } catch (error) {
        ticket.end({ error });
        throw error;
      }
    });
  }

  /** Requests an answer in pieces. Retried only before the first piece; its place is kept until the last one. */
  async *stream(
    question: Question,
    ask: (provider: Provider) => AsyncGenerator<string, number>,
  ): AsyncGenerator<string, void> {
    const { pieces, first, ticket } = await this.#trying(question, async (provider) => {
      const entered = await this.#enter(question, provider);
      const answer = ask(provider);
      try {
        return { pieces: answer, first: await answer.next(), ticket: entered };
      } catch (error) {
        entered.end({ error });
        throw error;
      }
    });
    try {
      for (let next = first; ; next = await pieces.next()) {
        if (next.done) return ticket.end({ tokens: next.value });
        yield next.value;
      }
    } catch (error) {
      ticket.end({ error });
      throw error;
    } finally {
      ticket.end({});
      await pieces.return(0).catch(() => undefined);
    }
  }

  /** Tries the chosen provider. Without a choice, tries the next capable one if it lacks the capability. */
  async #trying<T>(question: Question, attempt: (provider: Provider) => Promise<T>): Promise<T> {
    const { need, provider: choice, language, signal } = question;
    const { providers, clock } = this.#context;
    const provider = await providers.resolve(need, choice, language);
    try {
      return await withTries(clock, signal, () => attempt(provider));
    } catch (error) {
      const next = error instanceof AiError && (await providers.after(provider, error, need, language));
      if (!next) throw error;
      return withTries(clock, signal, () => attempt(next));
    }
  }

  async #enter({ feature, seconds = 0, signal }: Question, { host }: Provider): Promise<Ticket> {
    const leave = await this.#lanes.enter(host, signal);
    try {
      const spending = await this.#context.meter.begin({ feature, host, seconds });
      return {
        end({ tokens = 0, error }) {
          leave();
          const { cause } = error instanceof AiError ? error : { cause: undefined };
          // A cancelled caller is not the provider's fault, unless it gave up because the provider took too long.
          const isLate = signal.reason instanceof AiError && signal.reason.cause === 'timeout';
          if (cause === 'stopped') spending.end(isLate ? { tokens, cause: 'timeout' } : { tokens, isStopped: true });
          else spending.end(cause ? { tokens, cause } : { tokens });
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
