import type { AiAnswerer, AiNeed } from '@weir/contract';
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
import { chatModel, defaultModels } from './default-models.ts';
import type { Providers } from './providers.ts';

interface Context {
  readonly providers: Providers;
}

/** The port to AI, for every feature. */
export class AiService implements Ai {
  readonly #providers: Providers;

  constructor({ providers }: Context) {
    this.#providers = providers;
  }

  async transcribe(ask: TranscribeAsk): Promise<Transcription> {
    const { provider, model = defaultModels.transcribe, prompt = '', signal } = ask;
    const { wire } = await this.#providers.resolve(provider);
    return wire.transcribe({ ...ask, model, prompt }, signal);
  }

  async *chat(ask: ChatAsk): AsyncGenerator<string, void> {
    const { feature, provider, model = chatModel(feature), signal } = ask;
    const { wire } = await this.#providers.resolve(provider);
    yield* wire.chat({ ...ask, model }, signal);
  }

  async see(ask: SeeAsk): Promise<string> {
    const { feature, provider, model = chatModel(feature), signal } = ask;
    const { wire } = await this.#providers.resolve(provider);
    return (await wire.see({ ...ask, model }, signal)).text;
  }

  async speak(ask: SpeakAsk): Promise<Uint8Array> {
    const { provider, model = defaultModels.speak, voice = defaultModels.voice, signal } = ask;
    const { wire } = await this.#providers.resolve(provider);
    return wire.speak({ ...ask, model, voice }, signal);
  }

  async describe(_need: AiNeed, provider?: ProviderChoice, _language?: string): Promise<AiAnswerer> {
    try {
      const { host } = await this.#providers.resolve(provider);
      return { by: 'provider', host, cause: null };
    } catch (error) {
      return { by: 'nobody', host: '', cause: error instanceof AiError ? error.cause : 'no-provider' };
    }
  }
}
