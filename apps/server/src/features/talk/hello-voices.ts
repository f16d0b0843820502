import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInBaseUrl, helloVoices } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Ai } from '../../ai/ai.ts';
import type { Clock } from '../../core/clock.ts';

type Name = (typeof helloVoices)[number];

interface Context {
  readonly ai: Ai;
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
}

const texts: Readonly<Record<Name, { readonly language: string; readonly text: string }>> = {
  'hello-english.aac': { language: 'en', text: 'Hello! You can talk to me now.' },
  'hello-chinese.aac': { language: 'zh', text: '你好！现在可以和我说话了。' },
};
const builtIn = { secretKey: '', baseURL: builtInBaseUrl, organization: '' };
const withinMs = 20_000;
/** Retry interval after a failure, so that not every page causes an attempt. */
const againMs = 60_000;

/**
 * Greetings of the assistant: synthesised when the first guest enters a room, then cached. Requests of strangers cause
 * no synthesis.
 */
export class HelloVoices {
  readonly #context: Context;
  readonly #voices = new Map<Name, Promise<Uint8Array | undefined>>();
  readonly #end = new AbortController();
  #againAtMs = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Starts the synthesis of missing greetings. */
  prepare(): void {
    const { clock, log } = this.#context;
    if (clock.elapsedMs() < this.#againAtMs) return;
    for (const name of helloVoices) {
      if (this.#voices.has(name)) continue;
      const voice = this.#make(name).catch((error: unknown) => {
        log.info({ voice: name, reason: String(error) }, 'greeting could not be converted to speech');
        this.#againAtMs = clock.elapsedMs() + againMs;
        this.#voices.delete(name);
        return undefined;
      });
      this.#voices.set(name, voice);
    }
  }

  /** Returns undefined while speech synthesis is unavailable. */
  async get(name: Name): Promise<Uint8Array | undefined> {
    return this.#voices.get(name) ?? this.#kept(name);
  }

  close(): void {
    this.#end.abort();
  }

  #kept(name: Name): Promise<Uint8Array | undefined> {
    return readFile(join(this.#context.directory, name)).catch(() => undefined);
  }

  async #make(name: Name): Promise<Uint8Array> {
    const { ai, directory } = this.#context;
    const kept = await this.#kept(name);
    if (kept) return kept;
    const { text, language } = texts[name];
    // Prefers built-in AI, which is free, for languages that it speaks.
    const signal = AbortSignal.any([AbortSignal.timeout(withinMs), this.#end.signal]);
    const { by } = await ai.describe('speak', builtIn, language);
    const audio = await ai.speak({
      feature: 'rooms',
      text,
      format: 'aac',
      signal,
      ...(by === 'built-in' && { provider: builtIn }),
    });
    await mkdir(directory, { recursive: true });
    const file = join(directory, name);
    await writeFile(`${file}.part`, audio);
    await rename(`${file}.part`, file);
    return audio;
  }
}
