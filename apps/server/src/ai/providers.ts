import { type AiCapability, type AiModels, aiHosts, builtInBaseUrl, isSameHost, maskKey } from '@weir/contract';
import type { SecretRedactor } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { WeirError } from '../core/errors.ts';
import type { OutgoingClient } from '../core/outgoing/request/outgoing-client.ts';
import type { Setting } from '../core/store/setting.ts';
import type { Store } from '../core/store/store.ts';
import { AiError, type ProviderChoice } from './ai.ts';
import type { LocalAi } from './local/local-ai.ts';
import { type LocalModel, localModel } from './local/local-models.ts';
import { aiModels, globalProvider, type StoredProvider } from './provider-settings.ts';
import { OpenAiWire } from './wire/openai-wire.ts';
import { remoteTarget } from './wire/remote-target.ts';

interface Context {
  readonly store: Store;
  readonly outgoing: OutgoingClient;
  readonly clock: Clock;
  readonly hidden: SecretRedactor;
  readonly local: LocalAi;
}

/** Provider that answers a call. */
export interface Provider {
  /** Destination host. */
  readonly host: string;
  readonly wire: OpenAiWire;
  /** Models set by the owner; empty where none. */
  readonly models: AiModels;
  /** Set for built-in AI. */
  readonly local?: LocalModel;
  /** True if it is only the default, so another provider may answer instead. */
  readonly isGlobal: boolean;
}

/** Time for which a missing capability of a provider is remembered. */
const forgetAfterMs = 600_000;
const noModels: AiModels = { transcribe: '', chat: '', see: '', speak: '', voice: '' };

/** Resolves who answers, at each call, so that a key that was changed counts everywhere at once. */
export class Providers {
  readonly #context: Context;
  readonly #global: Setting<StoredProvider>;
  readonly #models: Setting<AiModels>;
  /** Missing capabilities of the global provider by its address, with expiry. */
  readonly #lacks = new Map<string, number>();
  readonly #keys = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
    this.#global = globalProvider(context.store);
    this.#models = aiModels(context.store);
  }

  /** Resolves the caller's choice, else the global provider, else built-in AI where it is able. */
  async resolve(need: AiCapability, choice?: ProviderChoice, language?: string): Promise<Provider> {
    try {
      return await this.#resolve(need, choice, language);
    } catch (error) {
      // Settings that cannot be read now are no answer, and may be readable in a moment.
      if (error instanceof WeirError) throw new AiError('busy', error.message);
      throw error;
    }
  }

  /** Alternative when the global provider lacks the capability; undefined if there is none. */
  async after(
    { host, isGlobal }: Provider,
    { cause }: AiError,
    need: AiCapability,
    language?: string,
  ): Promise<Provider | undefined> {
    if (!isGlobal || cause !== 'no-model') return undefined;
    const local = await this.#builtIn(need, language).catch(() => undefined);
    if (local) this.#lacks.set(`${host} ${need}`, this.#context.clock.elapsedMs() + forgetAfterMs);
    return local;
  }

  /** The choice with its key: clients that copy the global settings copy the mask of it. */
  async complete(choice: ProviderChoice): Promise<ProviderChoice> {
    const { aiSecretKey, aiBaseURL } = await this.#global.read();
    const isMask = aiSecretKey !== '' && choice.secretKey === maskKey(aiSecretKey);
    // The mask stands for the key only towards its own host; elsewhere the key could be collected.
    return isMask && isSameHost(choice.baseURL, aiBaseURL) ? { ...choice, secretKey: aiSecretKey } : choice;
  }

  async #resolve(need: AiCapability, choice?: ProviderChoice, language?: string): Promise<Provider> {
    if (choice?.baseURL === builtInBaseUrl) {
      const local = await this.#builtIn(need, language);
      if (local) return local;
      throw await this.#cannot(need);
    }
    const { aiSecretKey: secretKey, aiBaseURL: baseURL, aiOrganization: organization } = await this.#global.read();
    if (choice && choice.baseURL !== '') {
      // Keyed by address: a server has the same models for every room and project.
      const models = isSameHost(choice.baseURL, baseURL) ? await this.#models.read() : noModels;
      return this.#remote(await this.complete(choice), models, false);
    }
    if (baseURL === '') {
      const local = await this.#builtIn(need, language);
      if (local) return local;
      throw await this.#cannot(need);
    }
    const global = this.#remote({ secretKey, baseURL, organization }, await this.#models.read(), true);
    const lacksUntilMs = this.#lacks.get(`${global.host} ${need}`) ?? 0;
    if (lacksUntilMs < this.#context.clock.elapsedMs()) return global;
    return (await this.#builtIn(need, language).catch(() => undefined)) ?? global;
  }

  #remote(provider: ProviderChoice, models: AiModels, isGlobal: boolean): Provider {
    if (!URL.canParse(provider.baseURL)) throw new AiError('forbidden-address', 'the base URL is not a valid URL');
    if (!/^[\x21-\x7e]*$/.test(provider.secretKey)) throw new AiError('bad-key', 'the secret key is incomplete');
    this.#hide(provider.secretKey);
    const wire = new OpenAiWire(remoteTarget(this.#context.outgoing, provider));
    return { host: new URL(provider.baseURL).host, wire, models, isGlobal };
  }

  async #builtIn(need: AiCapability, language?: string): Promise<Provider | undefined> {
    const { local } = this.#context;
    const model = localModel(await local.models(), need, { language });
    return model && { host: aiHosts.builtIn, wire: local.wire, models: noModels, local: model, isGlobal: false };
  }

  /** Why built-in AI does not do it: it is not there, or only not in this language. */
  async #cannot(need: AiCapability): Promise<AiError> {
    const models = await this.#context.local.models();
    return localModel(models, need)
      ? new AiError('unsupported-language', 'built-in AI does not support this language')
      : new AiError('no-provider', 'no configured AI provider can do this');
  }

  /** No line of the log shows a key. */
  #hide(key: string): void {
    if (key === '' || this.#keys.has(key)) return;
    if (this.#keys.size >= mostKeys) this.#keys.clear();
    this.#keys.add(key);
    this.#context.hidden.setExact('ai', [...this.#keys]);
  }
}

const mostKeys = 100;
