import { type AiProvider, isSameHost, maskKey } from '@weir/contract';
import type { Log } from '@weir/plane';
import { globalProvider, type StoredProvider } from '../../ai/provider-settings.ts';
import { WeirError } from '../../core/errors.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import { checkProvider, type ProviderRequest } from './provider-check.ts';

interface Context {
  readonly store: Store;
  readonly request: ProviderRequest;
  readonly log: Log;
}

/** The AI provider that features start from. Its key leaves this server only towards the host it was entered for. */
export class LlmService {
  readonly #provider: Setting<StoredProvider>;
  readonly #request: ProviderRequest;
  readonly #log: Log;

  constructor({ store, request, log }: Context) {
    this.#provider = globalProvider(store);
    this.#request = request;
    this.#log = log;
  }

  async query(): Promise<AiProvider> {
    const { aiSecretKey, ...rest } = await this.#provider.read();
    return { aiSecretKey: maskKey(aiSecretKey), ...rest };
  }

  async update(next: AiProvider): Promise<void> {
    await this.#provider.update((current) => ({
      ...next,
      aiSecretKey: keyFor(current, { key: next.aiSecretKey, url: next.aiBaseURL }),
    }));
    this.#log.info({ host: new URL(next.aiBaseURL).host }, 'AI provider saved');
  }

  async check({ key, url }: { key: string; url: string }): Promise<void> {
    await checkProvider({ key: keyFor(await this.#provider.read(), { key, url }), url }, this.#request);
  }
}

/** The mask stands for the stored key, but only towards its own host: elsewhere somebody would collect it. */
function keyFor(stored: StoredProvider, { key, url }: { key: string; url: string }): string {
  if (stored.aiSecretKey === '' || key !== maskKey(stored.aiSecretKey)) {
    if (key.includes('\u2022')) throw new WeirError('invalid_input', 'enter the complete secret key');
    return key;
  }
  if (isSameHost(stored.aiBaseURL, url)) return stored.aiSecretKey;
  throw new WeirError('invalid_input', 'the base URL has a new host, enter the secret key again');
}
