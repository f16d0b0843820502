import { type AiProvider, isSameHost, maskKey } from '@weir/contract';
import type { Log } from '@weir/plane';
import { AiError, type ProviderChoice } from '../../ai/ai.ts';
import { globalProvider, type StoredProvider } from '../../ai/provider-settings.ts';
import type { ProviderTest } from '../../ai/provider-test.ts';
import { WeirError } from '../../core/errors.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

interface Context {
  readonly store: Store;
  readonly providerTest: ProviderTest;
  /** Providers that rooms have for themselves, with their keys. */
  readonly otherProviders: () => Promise<readonly ProviderChoice[]>;
  readonly log: Log;
}

/** The global AI provider. Its key leaves this server only towards the host it was entered for. */
export class LlmService {
  readonly #provider: Setting<StoredProvider>;
  readonly #test: ProviderTest;
  readonly #others: Context['otherProviders'];
  readonly #log: Log;

  constructor({ store, providerTest, otherProviders, log }: Context) {
    this.#provider = globalProvider(store);
    this.#test = providerTest;
    this.#others = otherProviders;
    this.#log = log;
  }

  async query(): Promise<AiProvider> {
    const { aiSecretKey, ...rest } = await this.#provider.read();
    return { aiSecretKey: maskKey(aiSecretKey), ...rest };
  }

  async update(next: AiProvider): Promise<void> {
    await this.#provider.update((current) => ({
      ...next,
      aiSecretKey: keyFor(current, { secretKey: next.aiSecretKey, baseURL: next.aiBaseURL }),
    }));
    this.#log.info({ host: new URL(next.aiBaseURL).host }, 'AI provider saved');
  }

  async check(given: { secretKey: string; baseURL: string }, chatModel: string): Promise<void> {
    const choice = await this.choiceOf({ ...given, organization: '' });
    await this.#test.check(choice ?? { ...given, organization: '' }, chatModel).catch(refused);
  }

  /** What a form holds, with the key that its mask stands for; undefined where it says nothing. */
  async choiceOf(given: ProviderChoice): Promise<ProviderChoice | undefined> {
    if (given.baseURL === '') return undefined;
    const isMeant = ({ secretKey, baseURL }: ProviderChoice) =>
      secretKey !== '' && given.secretKey === maskKey(secretKey) && isSameHost(baseURL, given.baseURL);
    const other = (await this.#others()).find(isMeant);
    return { ...given, secretKey: other?.secretKey ?? keyFor(await this.#provider.read(), given) };
  }
}

/** The mask stands for the stored key, but only towards its own host: elsewhere somebody would collect it. */
function keyFor(stored: StoredProvider, { secretKey, baseURL }: { secretKey: string; baseURL: string }): string {
  if (stored.aiSecretKey === '' || secretKey !== maskKey(stored.aiSecretKey)) {
    if (secretKey.includes('\u2022')) throw new WeirError('invalid_input', 'enter the complete secret key');
    return secretKey;
  }
  if (isSameHost(stored.aiBaseURL, baseURL)) return stored.aiSecretKey;
  throw new WeirError('invalid_input', 'the base URL has a new host, enter the secret key again');
}

/** What keeps a provider from answering, for whoever asked in person. */
export function refused(error: unknown): never {
  if (error instanceof AiError) {
    throw new WeirError('invalid_input', error.message, { cause: error, why: { kind: 'ai', fact: error.cause } });
  }
  throw error;
}
