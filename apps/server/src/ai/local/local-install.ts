import { type LocalAi as LocalAiReport, type LocalAiSet, localAiFaults, localAiSets } from '@weir/contract';
import type { Log } from '@weir/plane';
import { WeirError } from '../../core/errors.ts';
import type { LocalAi } from './local-ai.ts';

/** State of the built-in AI's files, and operations on them. */
export interface LocalAiFiles {
  state(set: LocalAiSet): Promise<FilesState>;
  install(options: { set: LocalAiSet; signal: AbortSignal; onProgress: (progress: Progress) => void }): Promise<void>;
  /** Removes a set, or everything. */
  remove(set?: LocalAiSet): Promise<void>;
}

interface FilesState {
  readonly installed: boolean;
  readonly platformSupported: boolean;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly downloadBytes: number;
}

type Progress = NonNullable<LocalAiReport['progress']>;

interface Context {
  readonly files: LocalAiFiles;
  readonly local: LocalAi;
  readonly log: Log;
}

/** Installs and removes the files of built-in AI by the owner's wish, one at a time. */
export class LocalAiInstall {
  readonly #context: Context;
  #work: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #progress: Progress | null = null;
  #fault: LocalAiReport['fault'] = null;
  /** Set of the current or last installation. */
  #set: LocalAiSet = 'basic';

  constructor(context: Context) {
    this.#context = context;
  }

  async report(): Promise<Omit<LocalAiReport, 'modelsDir' | 'process' | 'models'>> {
    const states = await Promise.all(localAiSets.map((set) => this.#context.files.state(set)));
    const sets = localAiSets.map((set, index) => {
      const { totalBytes = 0, downloadBytes = 0, ...known } = states[index] ?? {};
      return { set, state: stateOf(known), totalBytes, downloadBytes };
    });
    const [basic] = states;
    const { bytes = 0, totalBytes = 0, downloadBytes = 0 } = basic ?? {};
    const isInstalling = this.#work !== undefined && this.#set === 'basic';
    const state = isInstalling ? 'installing' : stateOf(basic ?? {});
    return {
      state,
      bytes,
      totalBytes,
      downloadBytes,
      progress: this.#progress,
      fault: this.#fault,
      set: this.#set,
      sets,
    };
  }

  /** Begins; what comes of it is in the report. */
  async start(set: LocalAiSet): Promise<void> {
    const isBasicThere = set === 'basic' || (await this.#context.files.state('basic')).installed;
    if (!isBasicThere) throw new WeirError('invalid_input', 'install built-in AI first');
    if (this.#work) throw new WeirError('invalid_input', 'built-in AI is already being installed');
    const stop = new AbortController();
    this.#fault = null;
    this.#set = set;
    this.#progress = { file: '', step: 'fetch', doneBytes: 0, totalBytes: 0 };
    this.#work = { stop, done: this.#install(set, stop.signal) };
  }

  async cancel(): Promise<void> {
    this.#work?.stop.abort();
    await this.#work?.done;
  }

  async remove(set?: LocalAiSet): Promise<void> {
    const { files, local, log } = this.#context;
    if (this.#work)
      throw new WeirError('invalid_input', 'built-in AI is being installed, cancel the installation first');
    // Files in use would stay on the disk and in memory.
    await local.keeper.end('files removed');
    await files.remove(set === 'basic' ? undefined : set);
    local.forget();
    this.#fault = null;
    log.info({ set }, 'built-in AI removed');
  }

  async #install(set: LocalAiSet, signal: AbortSignal): Promise<void> {
    const { files, local, log } = this.#context;
    log.info({ set }, 'installing built-in AI');
    try {
      await files.install({ set, signal, onProgress: (progress) => (this.#progress = progress) });
      // A running process has looked for its models before.
      if (set !== 'basic') await local.keeper.end('models installed');
      local.forget();
      log.info({ set }, 'built-in AI installed');
    } catch (error) {
      if (signal.aborted) log.info('installation of built-in AI cancelled');
      else {
        this.#fault = faultOf(error);
        log.warn({ err: error, fault: this.#fault }, 'built-in AI could not be installed');
      }
    } finally {
      this.#progress = null;
      this.#work = undefined;
    }
  }
}

function stateOf({ installed, platformSupported }: Partial<FilesState>): 'installed' | 'missing' | 'unsupported' {
  return installed ? 'installed' : platformSupported ? 'missing' : 'unsupported';
}

function faultOf(error: unknown): NonNullable<LocalAiReport['fault']> {
  const fault = error instanceof Error && 'fault' in error ? error.fault : '';
  return localAiFaults.find((known) => known === fault) ?? 'failed';
}
