import type { MediaFrame } from '@weir/media';

/** A step this large is not a late frame: the publisher's clock was set, or it lost that much. */
const forwardJumpMs = 10_000;
const backwardJumpMs = 2000;
/** Distance put between what came before a seam and what comes after. */
const seamMs = 20;

/**
 * The clock of a stream. A publisher's own clock is mapped onto it, so that it goes on when a publisher returns, is
 * replaced, or jumps in time. Both tracks share the mapping, which keeps sound and picture together.
 */
export class Timeline {
  #offsetMs = 0;
  /** The newest time seen, on the publisher's clock and on ours. */
  #lastRawMs: number | undefined;
  #lastMs = 0;
  #hasStarted = false;

  /** The newest time on the stream's clock. */
  get newestMs(): number {
    return this.#lastMs;
  }

  /** Another publisher follows: its clock has nothing to do with the one before. */
  expectOther(): void {
    this.#lastRawMs = undefined;
  }

  /** Takes the next time of the publisher; says whether what follows continues what went before. */
  advance(rawMs: number): 'continuous' | 'seam' {
    const last = this.#lastRawMs;
    if (last !== undefined && rawMs - last <= forwardJumpMs && last - rawMs <= backwardJumpMs) {
      if (rawMs > last) this.#moveTo(rawMs);
      return 'continuous';
    }
    const isFirst = !this.#hasStarted;
    this.#hasStarted = true;
    this.#offsetMs = (isFirst ? 0 : this.#lastMs + seamMs) - rawMs;
    this.#moveTo(rawMs);
    return isFirst ? 'continuous' : 'seam';
  }

  /** The frame at its time on the stream's clock. */
  place(frame: MediaFrame): MediaFrame {
    const dtsMs = this.map(frame.dtsMs);
    const ptsMs = this.map(frame.ptsMs);
    // Most publishers begin at zero, and their frames are right as they are.
    if (dtsMs === frame.dtsMs && ptsMs === frame.ptsMs) return frame;
    const { kind, codec, isKeyframe, payload } = frame;
    return { kind, codec, dtsMs, ptsMs, isKeyframe, payload };
  }

  /** A publisher's time on the stream's clock. Never below zero, which wire formats cannot say. */
  map(rawMs: number): number {
    return Math.max(0, rawMs + this.#offsetMs);
  }

  #moveTo(rawMs: number): void {
    this.#lastRawMs = rawMs;
    this.#lastMs = rawMs + this.#offsetMs;
  }
}
