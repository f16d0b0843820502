import { type LocalAi as LocalAiReport, localAiFaults } from '@weir/contract';
import type { Log } from '@weir/plane';
import { WeirError } from '../../core/errors.ts';
import type { LocalAi } from './local-ai.ts';

/** State of the built-in AI's files, and operations on them. */
export interface LocalAiFiles {
  state(): Promise<{
    readonly installed: boolean;
    readonly platformSupported: boolean;
    readonly bytes: number;
    readonly totalBytes: number;
    readonly downloadBytes: number;
  }>;
  install(options: { signal: AbortSignal; onProgress: (progress: Progress) => void }): Promise<void>;
  remove(): Promise<void>;
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

  constructor(context: Context) {
    this.#context = context;
  }

  async report(): Promise<
    Pick<LocalAiReport, 'state' | 'bytes' | 'totalBytes' | 'downloadBytes' | 'progress' | 'fault'>
  > {
    const { installed, platformSupported, bytes, totalBytes, downloadBytes } = await this.#context.files.state();
    const state = this.#work ? 'installing' : installed ? 'installed' : platformSupported ? 'missing' : 'unsupported';
    return { state, bytes, totalBytes, downloadBytes, progress: this.#progress, fault: this.#fault };
  }

  /** Begins; what comes of it is in the report. */
  start(): void {
    if (this.#work) throw new WeirError('invalid_input', 'built-in AI is already being installed');
    const stop = new AbortController();
    this.#fault = null;
    this.#work = { stop, done: this.#install(stop.signal) };
  }

  async cancel(): Promise<void> {
    this.#work?.stop.abort();
    await this.#work?.done;
  }

  async remove(): Promise<void> {
    const { files, local, log } = this.#context;
    if (this.#work)
      throw new WeirError('invalid_input', 'built-in AI is being installed, cancel the installation first');
    // Files in use would stay on the disk and in memory.
    await local.keeper.end('files removed');
    await files.remove();
    local.forget();
    this.#fault = null;
    log.info('built-in AI removed');
  }

  async #install(signal: AbortSignal): Promise<void> {
    const { files, local, log } = this.#context;
    log.info('installing built-in AI');
    try {
      await files.install({ signal, onProgress: (progress) => (this.#progress = progress) });
      local.forget();
      log.info('built-in AI installed');
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

function faultOf(error: unknown): NonNullable<LocalAiReport['fault']> {
  const fault = error instanceof Error && 'fault' in error ? error.fault : '';
  return localAiFaults.find((known) => known === fault) ?? 'failed';
}
