import type { Log } from '@weir/plane';
import { MemoryFile } from './memory-file.ts';
import { loadNativeSend, type NativeSend } from './native-send.ts';

/** The memory file of this process, if the system supports it. */
export class SharedMemory {
  readonly #log: Log;
  readonly #load: () => Promise<NativeSend>;
  #file: MemoryFile | undefined;
  #opening: Promise<void> | undefined;
  #isClosed = false;

  constructor(log: Log, load: () => Promise<NativeSend> = loadNativeSend) {
    this.#log = log;
    this.#load = load;
  }

  /** Undefined until it is open, and if the system does not support it. */
  get file(): MemoryFile | undefined {
    return this.#file;
  }

  /** Memory in use. */
  get bytes(): number {
    return this.#file?.bytes ?? 0;
  }

  /** Called with the first stream, so that an idle engine does not load native calls, which take memory. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    try {
      const calls = await this.#load();
      if (this.#isClosed) return;
      this.#file = new MemoryFile(calls);
      this.#log.info('media is sent from a file in memory');
    } catch (error) {
      this.#log.info({ reason: (error as Error).message }, 'media is sent from buffers, which takes more CPU time');
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#file?.close();
    this.#file = undefined;
  }
}
