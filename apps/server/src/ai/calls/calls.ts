import type { AiFeature, AiNeed } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import { AiError, type ProviderChoice } from '../ai.ts';
import type { AiMeter } from '../meter/ai-meter.ts';
import type { Provider, Providers } from '../providers.ts';
import { ProviderQueues } from './provider-queues.ts';
import { withTries } from './tries.ts';

interface Context {
  readonly providers: Providers;
  readonly meter: AiMeter;
  readonly clock: Clock;
  readonly lanes?: ProviderQueues;
}

/** One question, whatever it is about. */
interface Question {
  readonly feature: AiFeature;
  readonly need: AiNeed;
  readonly provider?: ProviderChoice | undefined;
  readonly language?: string;
  /** Of audio. */
  readonly seconds?: number;
  readonly signal: AbortSignal;
}

/** A place with the provider that was counted; to be ended, once. */
interface Ticket {
  end(result: { readonly tokens?: number; readonly error?: unknown }): void;
}

/** What every question goes through: who answers, its turn, the meter, and trying again. */
export class Calls {
  readonly #context: Context;
  readonly #lanes: ProviderQueues;

  constructor(context: Context) {
    this.#context = context;
    this.#lanes = context.lanes ?? new ProviderQueues();
  }

  /** Asks for one answer. `ask` also tells the tokens it took, as far as they are known. */
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

  /** Asks for an answer in pieces. Only one that has not begun is tried again; its place is kept until the last piece. */
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

  /** Tries the provider, and then, where nobody chose it and it cannot do this, the next that can. */
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
          // Who stopped waiting is no fault of the provider's, unless that is because it took too long.
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
