import { announcesBFrames, MalformedMedia, type MediaFrame, type VideoConfig } from '@weir/media';

/**
 * Tells whether pictures are shown in another order than they are decoded: B-frames. The encoder announces them in
 * most streams; where it does not, the first picture that is shown before one decoded earlier gives them away. The answer
 * stays until the encoder changes.
 */
export class BFrameDetector {
  #isAnnounced = false;
  #isReordered = false;
  #newestMs = Number.NEGATIVE_INFINITY;

  get isReordered(): boolean {
    return this.#isReordered;
  }

  begin({ codec, record }: VideoConfig): void {
    this.#isAnnounced = codec === 'h264' && announces(record);
    this.#isReordered = false;
    this.#newestMs = Number.NEGATIVE_INFINITY;
  }

  /** The times before and after have nothing to do with each other. */
  seam(): void {
    this.#newestMs = Number.NEGATIVE_INFINITY;
  }

  observe({ ptsMs, dtsMs }: MediaFrame): void {
    if (this.#isReordered) return;
    // An offset alone proves nothing: some encoders delay every picture alike.
    this.#isReordered = ptsMs < this.#newestMs || (this.#isAnnounced && ptsMs !== dtsMs);
    if (ptsMs > this.#newestMs) this.#newestMs = ptsMs;
  }
}

function announces(record: Buffer): boolean {
  try {
    return announcesBFrames(record);
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
    return false;
  }
}
