import { type AiNeed, type AiTestResult, aiHosts, aiNeeds } from '@weir/contract';
import type { Clock } from '../core/clock.ts';
import { AiError, type ProviderChoice } from './ai.ts';
import type { AiMeter } from './meter/ai-meter.ts';
import { modelOf } from './model-of.ts';
import type { Provider, Providers } from './providers.ts';
import { sampleImage, sampleSpeech } from './test-samples.ts';

interface Context {
  readonly providers: Providers;
  readonly meter: AiMeter;
  readonly clock: Clock;
}

const withinMs = 15_000;
const checkedSpeech = 'whisper-1';

/** Asks a provider for a little of everything, once and without trying again, because a person waits for what comes of it. */
export class ProviderTest {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Both kinds of work that the API's own check asks for: there is the speech model, and it talks. Fails with `AiError`, its step in front. */
  async check(choice: ProviderChoice, model: string): Promise<void> {
    const provider = await this.#context.providers.resolve('chat', choice);
    const { wire, host } = provider;
    const signal = AbortSignal.timeout(withinMs);
    await named(`query model ${checkedSpeech}`, () => wire.model(checkedSpeech, signal));
    const messages = [{ role: 'user', content: 'Hello!' }] as const;
    await named('create chat', () =>
      this.#counted(host, () => wire.complete({ model, messages, maxTokens: 50 }, signal)),
    );
  }

  /** What works, and why the rest does not. Never fails. */
  async test(choice?: ProviderChoice): Promise<AiTestResult[]> {
    return Promise.all(aiNeeds.map((need) => this.#try(need, choice)));
  }

  async #try(need: AiNeed, choice?: ProviderChoice): Promise<AiTestResult> {
    const { providers, clock } = this.#context;
    const beganMs = clock.elapsedMs();
    let model = '';
    let by: AiTestResult['by'] = 'nobody';
    const result = (cause: AiTestResult['cause']): AiTestResult => {
      const delayMs = Math.round(clock.elapsedMs() - beganMs);
      return { need, works: cause === null, by, model, cause, delayMs };
    };
    try {
      const provider = await providers.resolve(need, choice);
      by = provider.local ? 'built-in' : 'provider';
      model = modelOf(need, { feature: 'check' }, provider);
      await this.#counted(provider.host, () => ask(need, provider, model));
      return result(null);
    } catch (error) {
      return result(error instanceof AiError ? error.cause : 'provider-error');
    }
  }

  async #counted<T>(host: string, work: () => Promise<T>): Promise<T> {
    const spending = await this.#context.meter.begin({ feature: 'check', host, seconds: 0 });
    try {
      const done = await work();
      spending.end({});
      return done;
    } catch (error) {
      spending.end(error instanceof AiError ? { cause: error.cause } : {});
      throw error;
    }
  }
}

async function ask(need: AiNeed, { wire, host }: Provider, model: string): Promise<void> {
  // Built-in AI may have to start first.
  const signal = AbortSignal.timeout(host === aiHosts.builtIn ? 3 * withinMs : withinMs);
  try {
    await questions[need](wire, model, signal);
  } catch (error) {
    if (error instanceof AiError && error.cause === 'stopped') throw new AiError('timeout', 'no response in time');
    throw error;
  }
}

type Question = (wire: Provider['wire'], model: string, signal: AbortSignal) => Promise<unknown>;

const questions: Readonly<Record<AiNeed, Question>> = {
  transcribe: (wire, model, signal) =>
    wire.transcribe({ model, audio: sampleSpeech(), seconds: 1, language: '', prompt: '' }, signal),
  chat: (wire, model, signal) =>
    wire.complete({ model, messages: [{ role: 'user', content: 'Hello!' }], maxTokens: 50 }, signal),
  see: (wire, model, signal) =>
    wire.see({ model, messages: [], image: sampleImage, prompt: 'What is written here?', maxTokens: 50 }, signal),
  speak: (wire, model, signal) => wire.speak({ model, text: 'Hello!', voice: model, format: 'wav' }, signal),
};

async function named<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AiError)) throw error;
    const message = error.cause === 'stopped' ? 'no response within 15 seconds' : error.message;
    throw new AiError(error.cause === 'stopped' ? 'timeout' : error.cause, `${step}: ${message}`);
  }
}
