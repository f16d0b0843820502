import { loadNativeCalls } from '../../../../delivery/native-calls.ts';

/** Connections that must have been closed before it pays. */
const leastClosed = 16;
/** libsrt frees a closed connection some seconds later. */
const afterMs = 5000;

/**
 * Returns freed memory to the system after many connections were closed. The C library keeps it otherwise: libsrt allocates in
 * small pieces, and some of each page is always in use by somebody else.
 */
export class MemoryReturn {
  #closed = 0;
  #timer: NodeJS.Timeout | undefined;

  noteClosed(): void {
    this.#closed += 1;
    if (this.#closed < leastClosed) return;
    this.#timer ??= setTimeout(() => void this.#act(), afterMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #act(): Promise<void> {
    this.#closed = 0;
    this.#timer = undefined;
    try {
      const { load } = await loadNativeCalls();
      // Runs in the thread pool, because it walks the whole heap.
      load(null)
        .func('int malloc_trim(size_t keep)')
        .async(0, () => undefined);
    } catch {
      // C libraries other than glibc have no such function, and keep less.
    }
  }
}
