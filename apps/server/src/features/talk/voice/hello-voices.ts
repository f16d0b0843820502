import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { helloVoices } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Ai } from '../../../ai/ai.ts';

type Name = (typeof helloVoices)[number];

const texts: Readonly<Record<Name, string>> = {
  'hello-english.aac': 'Hello! You can talk to me now.',
  'hello-chinese.aac': '你好！现在可以和我说话了。',
};
const withinMs = 20_000;
/** Somebody who cannot speak now may be able to later, and need not be asked by every page meanwhile. */
const againMs = 60_000;

/** How the assistant greets: spoken once by whoever can, then kept. */
export class HelloVoices {
  readonly #context: { readonly ai: Ai; readonly directory: string; readonly log: Log };
  readonly #voices = new Map<Name, Promise<Uint8Array | undefined>>();

  constructor(context: { readonly ai: Ai; readonly directory: string; readonly log: Log }) {
    this.#context = context;
  }

  /** Undefined where nobody can speak. */
  get(name: Name): Promise<Uint8Array | undefined> {
    const known = this.#voices.get(name);
    if (known) return known;
    const voice = this.#make(name).catch((error: unknown) => {
      this.#context.log.info({ voice: name, reason: String(error) }, 'nobody can speak the greeting');
      setTimeout(() => this.#voices.delete(name), againMs).unref();
      return undefined;
    });
    this.#voices.set(name, voice);
    return voice;
  }

  async #make(name: Name): Promise<Uint8Array> {
    const { ai, directory } = this.#context;
    const file = join(directory, name);
    const kept = await readFile(file).catch(() => undefined);
    if (kept) return kept;
    const signal = AbortSignal.timeout(withinMs);
    const audio = await ai.speak({ feature: 'rooms', text: texts[name], format: 'aac', signal });
    await mkdir(directory, { recursive: true });
    await writeFile(`${file}.part`, audio);
    await rename(`${file}.part`, file);
    return audio;
  }
}
