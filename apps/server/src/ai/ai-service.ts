import { type AiAnswerer, type AiCapability, aiHosts } from '@weir/contract';
import type { ChatMessage } from './ai.ts';
import {
  type Ai,
  AiError,
  type ChatAsk,
  type ProviderChoice,
  type SeeAsk,
  type SpeakAsk,
  type TranscribeAsk,
  type Transcription,
} from './ai.ts';
import type { AiCalls } from './ai-calls.ts';
import { chooseModel, chooseVoice } from './choose-model.ts';
import type { LocalAi } from './local/local-ai.ts';
import type { Providers } from './providers.ts';
import type { Usage } from './wire/answers.ts';

/**
 * Tokens of a chat as reported by the provider, or an estimate: four characters a token, one and a half for Chinese.
 */
function countTokens(usage: Usage, messages: readonly ChatMessage[], answer: string): number {
  if (usage) return usage.prompt_tokens + usage.completion_tokens;
  const text = messages.map(({ content }) => content).join('') + answer;
  const wide = text.match(/[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/g)?.length ?? 0;
  return Math.ceil(wide / 1.5 + (text.length - wide) / 4);
}

interface Context {
  readonly calls: AiCalls;
  readonly providers: Providers;
  readonly local: LocalAi;
}

/** The port to AI, for every feature. */
export class AiService implements Ai {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  transcribe(ask: TranscribeAsk): Promise<Transcription> {
    const { prompt = '', signal } = ask;
    return this.#context.calls.run({ ...ask, need: 'transcribe' }, async (provider) => {
      const model = chooseModel('transcribe', ask, provider);
      return { value: await provider.wire.transcribe({ ...ask, model, prompt }, signal) };
    });
  }

  chat(ask: ChatAsk): AsyncIterable<string> {
    return this.#context.calls.stream({ ...ask, need: 'chat' }, async function* (provider) {
      const pieces = provider.wire.chat({ ...ask, model: chooseModel('chat', ask, provider) }, ask.signal);
      let text = '';
      for (;;) {
        const next = await pieces.next();
        if (next.done) return countTokens(next.value, ask.messages, text);
        text += next.value;
        yield next.value;
      }
    });
  }

  see(ask: SeeAsk): Promise<string> {
    return this.#context.calls.run({ ...ask, need: 'see' }, async (provider) => {
      const model = chooseModel('see', ask, provider);
      const { text, usage } = await provider.wire.see({ ...ask, model }, ask.signal);
      return { value: text, tokens: countTokens(usage, ask.messages, ask.prompt + text) };
    });
  }

  speak(ask: SpeakAsk): Promise<Uint8Array> {
    const { text, format, signal } = ask;
    return this.#context.calls.run({ ...ask, need: 'speak' }, async (provider) => {
      const offered = provider.local ? await this.#context.local.models() : [];
      const voice = chooseVoice(text, ask.voice, provider, offered);
      const model = provider.local ? voice : chooseModel('speak', ask, provider);
      return { value: await provider.wire.speak({ model, voice, text, format }, signal) };
    });
  }

  async describe(need: AiCapability, provider?: ProviderChoice, language?: string): Promise<AiAnswerer> {
    try {
      const { host } = await this.#context.providers.resolve(need, provider, language);
      const isBuiltIn = host === aiHosts.builtIn;
      return { by: isBuiltIn ? 'built-in' : 'provider', host: isBuiltIn ? '' : host, cause: null };
    } catch (error) {
      return { by: 'nobody', host: '', cause: error instanceof AiError ? error.cause : 'no-provider' };
    }
  }
}
