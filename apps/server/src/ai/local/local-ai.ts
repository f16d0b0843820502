import type { OpenAiWire } from '../wire/openai-wire.ts';
import type { LocalAiKeeper } from './keeper.ts';
import type { LocalModel } from './local-models.ts';
import { listenForVoices } from './voice-activity.ts';

interface Context {
  readonly keeper: LocalAiKeeper;
  readonly wire: OpenAiWire;
  readonly modelsDir: string;
  readonly isInstalled: () => Promise<boolean>;
}

/** Asking a process for its list may start it, which takes a while. */
const listWithinMs = 40_000;

/** Built-in AI as far as somebody who looks for an answer needs to know it. */
export class LocalAi {
  readonly keeper: LocalAiKeeper;
  readonly wire: OpenAiWire;
  /** Where its files are, and where the owner can add some. */
  readonly modelsDir: string;
  readonly isInstalled: () => Promise<boolean>;
  #last: readonly LocalModel[] = [];
  #known: { readonly starts: number; readonly models: Promise<readonly LocalModel[]> } | undefined;

  constructor({ keeper, wire, modelsDir, isInstalled }: Context) {
    this.keeper = keeper;
    this.wire = wire;
    this.modelsDir = modelsDir;
    this.isInstalled = isInstalled;
  }

  /** What it offers; nothing where it is not installed. Asked once per process, because the owner may add models in between. */
  async models(): Promise<readonly LocalModel[]> {
    if (!(await this.isInstalled())) return [];
    const { starts } = this.keeper.state();
    if (this.#known && this.#known.starts >= starts) return this.#known.models;
    const models = this.#list();
    // A list that the question itself started a process for is that process's list.
    this.#known = { starts: Math.max(starts, 1), models };
    try {
      this.#last = await models;
      return this.#last;
    } catch (error) {
      this.#known = undefined;
      throw error;
    }
  }

  /** What it offered when it was asked last; nobody is started for it. */
  knownModels(): readonly LocalModel[] {
    return this.#last;
  }

  /** Listens to one signal for voices; undefined where built-in AI is not installed. */
  async listen(signal: AbortSignal): Promise<Awaited<ReturnType<typeof listenForVoices>> | undefined> {
    return (await this.isInstalled()) ? listenForVoices(this.keeper, signal) : undefined;
  }

  /** After an install or a removal. */
  forget(): void {
    this.#known = undefined;
    this.#last = [];
  }

  async #list(): Promise<readonly LocalModel[]> {
    const listed = await this.wire.models(AbortSignal.timeout(listWithinMs));
    return listed.map(({ id, kind = '', languages = [], name = id }) => ({ id, kind, languages, name }));
  }
}
