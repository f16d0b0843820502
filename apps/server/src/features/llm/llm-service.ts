import { type AiProvider, isSameHost, maskKey } from '@weir/contract';
import type { Log } from '@weir/plane';
import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import type { Collection, Store } from '../../core/store/store.ts';
import { checkProvider, type ProviderRequest } from './provider-check.ts';

const only = 'provider';

const StoredProvider = z.object({
  aiSecretKey: z.string().default(''),
  aiBaseURL: z.string().default(''),
  aiOrganization: z.string().default(''),
});
type StoredProvider = z.output<typeof StoredProvider>;

interface Needs {
  readonly store: Store;
  readonly request: ProviderRequest;
  readonly log: Log;
}

/** The AI provider that features start from. Its key leaves this server only towards the host it was entered for. */
export class LlmService {
  readonly #providers: Collection<StoredProvider>;
  readonly #request: ProviderRequest;
  readonly #log: Log;

  constructor({ store, request, log }: Needs) {
    this.#providers = store.collection('llm', StoredProvider);
    this.#request = request;
    this.#log = log;
  }

  async query(): Promise<AiProvider> {
    const { aiSecretKey, ...rest } = await this.#stored();
    return { aiSecretKey: maskKey(aiSecretKey), ...rest };
  }

  async update(next: AiProvider): Promise<void> {
    await this.#providers.update(only, (current = StoredProvider.parse({})) => ({
      ...next,
      aiSecretKey: keyFor(current, { key: next.aiSecretKey, url: next.aiBaseURL }),
    }));
    this.#log.info({ host: new URL(next.aiBaseURL).host }, 'AI provider saved');
  }

  async check({ key, url }: { key: string; url: string }): Promise<void> {
    await checkProvider({ key: keyFor(await this.#stored(), { key, url }), url }, this.#request);
  }

  async #stored(): Promise<StoredProvider> {
    return (await this.#providers.get(only)) ?? StoredProvider.parse({});
  }
}

/** The mask stands for the stored key, but only towards its own host: elsewhere somebody would collect it. */
function keyFor(stored: StoredProvider, { key, url }: { key: string; url: string }): string {
  if (stored.aiSecretKey === '' || key !== maskKey(stored.aiSecretKey)) {
    if (key.includes('\u2022')) throw new WeirError('invalid_input', 'enter the secret key in full');
    return key;
  }
  if (isSameHost(stored.aiBaseURL, url)) return stored.aiSecretKey;
  throw new WeirError('invalid_input', 'the base URL names another host, enter the secret key for it again');
}
