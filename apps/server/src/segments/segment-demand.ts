import { Mutex } from '../core/mutex.ts';
import type { MediaServer } from '../media-server/media-server.ts';

/**
 * Whether anybody takes segments, as the engine knows it. With many streams and nobody who records, keeping segments for us and telling of
 * them would be a quarter of all work. An engine that was told nothing keeps them.
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
