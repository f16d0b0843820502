import { maskKey, TranscriptConfig } from '@weir/contract';
import type { ProviderChoice } from '../../ai/ai.ts';
import { keptKey } from '../../ai/kept-key.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

type Change = Omit<TranscriptConfig, 'streams' | 'fixSeconds' | 'captions'> & {
  readonly streams?: readonly string[] | undefined;
  readonly fixSeconds?: number | null | undefined;
  readonly captions?: readonly string[] | undefined;
};

/** What the owner wants. The newest is in memory, for those who cannot wait. */
export class TranscriptSettings {
  readonly #stored: Setting<TranscriptConfig>;
  #now: TranscriptConfig = TranscriptConfig.parse({});

  constructor(store: Store) {
    this.#stored = store.setting('transcript/global', TranscriptConfig);
  }

  get now(): TranscriptConfig {
    return this.#now;
  }

  get provider(): ProviderChoice {
    const { secretKey, baseURL, organization } = this.#now;
    return { secretKey, baseURL, organization };
  }

  async read(): Promise<TranscriptConfig> {
    this.#now = await this.#stored.read();
    return this.#now;
  }

  async masked(): Promise<TranscriptConfig> {
    const config = await this.read();
    return { ...config, secretKey: maskKey(config.secretKey) };
  }

  /** What would be kept of a change; a client that knows no choice of streams does not clear it. */
  merge(change: Change): TranscriptConfig {
    const { streams = this.#now.streams, fixSeconds = this.#now.fixSeconds, captions = this.#now.captions } = change;
    return {
      ...change,
      streams: distinct(streams).filter((stream) => stream !== ''),
      fixSeconds,
      captions: distinct(captions),
      secretKey: keptKey(this.#now, change),
    };
  }

  async save(config: TranscriptConfig): Promise<void> {
    await this.#stored.put(config);
    this.#now = config;
  }
}

function distinct(streams: readonly string[]): string[] {
  return [...new Set(streams.map((stream) => stream.trim()))];
}
