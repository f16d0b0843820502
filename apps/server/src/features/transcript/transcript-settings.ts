import { maskKey, TranscriptConfig } from '@weir/contract';
import type { ProviderChoice } from '../../ai/ai.ts';
import { keptKey } from '../../ai/kept-key.ts';
import { WeirError } from '../../core/errors.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

type Change = Omit<TranscriptConfig, 'streams' | 'fixSeconds' | 'captions' | 'translations'> & {
  readonly streams?: readonly string[] | undefined;
  readonly fixSeconds?: number | null | undefined;
  readonly captions?: readonly string[] | undefined;
  readonly translations?: readonly string[] | undefined;
};

/** Settings of the owner, cached in memory for synchronous readers. */
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

  /** Merges a change; a client that does not know the choice of streams does not clear it. */
  merge(change: Change): TranscriptConfig {
    const { streams = this.#now.streams, fixSeconds = this.#now.fixSeconds, captions = this.#now.captions } = change;
    const { translations = this.#now.translations } = change;
    const chosen = distinct(streams).filter((stream) => stream !== '');
    if (change.captions) assertCaptions(change.captions, chosen, this.#now.captions);
    return {
      ...change,
      streams: chosen,
      fixSeconds,
      captions: distinct(captions),
      translations: otherLanguages(translations, change.lang),
      secretKey: keptKey(this.#now, change),
    };
  }

  async save(config: TranscriptConfig): Promise<void> {
    await this.#stored.put(config);
    this.#now = config;
  }
}

/** Languages other than the spoken one, without duplicates in another letter case. */
function otherLanguages(languages: readonly string[], spoken: string): string[] {
  const seen = new Set([spoken.toLowerCase()]);
  return languages.filter((language) => !seen.has(language.toLowerCase()) && seen.add(language.toLowerCase()));
}

/** Refuses subtitles for streams that are not transcribed. Those of an earlier choice of streams may be sent back as they were read. */
function assertCaptions(captions: readonly string[], streams: readonly string[], kept: readonly string[]): void {
  const known = [...(streams.length > 0 ? streams : ['']), ...kept];
  const unknown = distinct(captions).find((stream) => !known.includes(stream));
  if (unknown === undefined) return;
  const names = streams.length > 0 ? `one of ${streams.join(', ')}` : 'an empty text for the newest stream';
  throw new WeirError('invalid_input', `captions: ${JSON.stringify(unknown)} is not transcribed, must be ${names}`);
}

function distinct(streams: readonly string[]): string[] {
  return [...new Set(streams.map((stream) => stream.trim()))];
}
