import { isSameHost, maskKey } from '@weir/contract';
import type { OutgoingClient } from '../core/outgoing/request/outgoing-client.ts';
import type { Setting } from '../core/store/setting.ts';
import type { Store } from '../core/store/store.ts';
import { AiError, type ProviderChoice } from './ai.ts';
import { globalProvider, type StoredProvider } from './provider-settings.ts';
import { OpenAiWire } from './wire/openai-wire.ts';
import { remoteTarget } from './wire/remote-target.ts';

interface Context {
  readonly store: Store;
  readonly outgoing: OutgoingClient;
}

/** Who answers one call. */
interface Provider {
  /** Where what is asked goes to. */
  readonly host: string;
  readonly wire: OpenAiWire;
}

/** Resolves who answers, at each call, so that a key that was changed counts everywhere at once. */
export class Providers {
  readonly #global: Setting<StoredProvider>;
  readonly #outgoing: OutgoingClient;

  constructor({ store, outgoing }: Context) {
    this.#global = globalProvider(store);
    this.#outgoing = outgoing;
  }

  /** What the caller says, else the global provider. */
  async resolve(choice?: ProviderChoice): Promise<Provider> {
    const provider = await this.#chosen(choice);
    if (!provider) throw new AiError('no-provider', 'no AI provider is set');
    return {
      host: new URL(provider.baseURL).host,
      wire: new OpenAiWire(remoteTarget(this.#outgoing, provider)),
    };
  }

  async #chosen(choice?: ProviderChoice): Promise<ProviderChoice | undefined> {
    const stored = await this.#global.read();
    const global = {
      secretKey: stored.aiSecretKey,
      baseURL: stored.aiBaseURL,
      organization: stored.aiOrganization,
    };
    if (choice && URL.canParse(choice.baseURL)) {
      // Clients that copy the global settings copy the mask: it stands for the key, towards its own host only.
      const isMask = global.secretKey !== '' && choice.secretKey === maskKey(global.secretKey);
      return isMask && isSameHost(choice.baseURL, global.baseURL) ? { ...choice, secretKey: global.secretKey } : choice;
    }
    return URL.canParse(global.baseURL) ? global : undefined;
  }
}
