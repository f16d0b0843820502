import { maskKey, OcrConfig } from '@weir/contract';
import { keptKey } from '../../ai/kept-key.ts';
import { toProviderChoice } from '../../ai/provider-choice.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

type Added = 'stream' | 'intervalSeconds' | 'skipUnchanged';
type Change = Omit<OcrConfig, Added> & { readonly [Name in Added]?: OcrConfig[Name] | undefined };

/** Settings of the owner, cached in memory for synchronous readers. */
export class OcrSettings {
  readonly #stored: Setting<OcrConfig>;
  #now: OcrConfig = OcrConfig.parse({});

  constructor(store: Store) {
    this.#stored = store.setting('ocr/global', OcrConfig);
  }

  get now(): OcrConfig {
    return this.#now;
  }

  async read(): Promise<OcrConfig> {
    this.#now = await this.#stored.read();
    return this.#now;
  }

  async masked(): Promise<OcrConfig> {
    const config = await this.read();
    return { ...config, aiSecretKey: maskKey(config.aiSecretKey) };
  }

  /** Merges a change; fields that an older client does not know stay as they are. */
  merge(change: Change): OcrConfig {
    const { stream, intervalSeconds, skipUnchanged } = this.#now;
    return {
      ...change,
      stream: (change.stream ?? stream).trim(),
      intervalSeconds: change.intervalSeconds ?? intervalSeconds,
      skipUnchanged: change.skipUnchanged ?? skipUnchanged,
      aiSecretKey: keptKey(toProviderChoice(this.#now), toProviderChoice(change)),
    };
  }

  async save(config: OcrConfig): Promise<void> {
    await this.#stored.put(config);
    this.#now = config;
  }
}
