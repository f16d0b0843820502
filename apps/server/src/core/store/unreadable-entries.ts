import type { Log } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';

const mostRemembered = 1000;

/** Entries that cannot be read and are left out of lists. Each is logged once, because some lists are read every second. */
export class UnreadableEntries {
  readonly #log: Log;
  readonly #told = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  tell(error: unknown): void {
    const reason = errorMessage(error);
    if (this.#told.has(reason) || this.#told.size >= mostRemembered) return;
    this.#told.add(reason);
    this.#log.error({ reason }, 'a settings entry was skipped');
  }
}
