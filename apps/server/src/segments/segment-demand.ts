import { Mutex } from '../core/mutex.ts';
import type { MediaServer } from '../media-server/media-server.ts';

/**
 * Tells the engine whether any consumer takes segments. With many streams and no recording, writing and reporting
 * segments would be a quarter of all work. By default the engine writes them.
 */
export class SegmentDemand {
  readonly #mediaServer: Pick<MediaServer, 'applySettings'>;
  readonly #isWanted: () => Promise<boolean>;
  readonly #turns = new Mutex();
  /** Undefined when that is not certain. */
  #told: boolean | undefined;

  constructor(mediaServer: Pick<MediaServer, 'applySettings'>, isWanted: () => Promise<boolean>) {
    this.#mediaServer = mediaServer;
    this.#isWanted = isWanted;
  }

  tell(): Promise<void> {
    return this.#turns.take(async () => {
      const isWanted = await this.#isWanted();
      if (isWanted === this.#told) return;
      this.#told = undefined;
      await this.#mediaServer.applySettings({ segments: isWanted });
      this.#told = isWanted;
    });
  }

  async tellAnew(): Promise<void> {
    await this.#turns.take(async () => {
      this.#told = undefined;
    });
    await this.tell();
  }
}
