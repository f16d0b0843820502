import { MalformedMedia } from '@weir/media';
import type { Log } from '@weir/plane';

/** Runs work on a publisher's media, which may be malformed. Warns once per stream, because later media is most likely malformed too. */
export class MediaGuard {
  readonly #log: Log;
  #hasWarned = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Undefined when the media cannot be packaged. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof MalformedMedia)) throw error;
      if (!this.#hasWarned) this.#log.warn({ err: error }, 'skipping frames that cannot be packaged');
      this.#hasWarned = true;
      return undefined;
    }
  }
}
