import type { MediaFrame } from '@weir/media';
import { memoryCost } from '../own-memory.ts';
import type { ConversionLimits } from './conversion.ts';

/** Sound this far behind pictures that have left no longer goes with them, in a segment or at a player. */
export const lateMs = 2500;
/** Above this, frames are released without waiting. */
const mostHeldBytes = 8 * 1024 * 1024;

/**
 * Converted audio comes about 60 ms after its video. Holds video back until its audio has arrived, so that frames leave in timestamp
 * order, as files and their players expect. Stops waiting for audio that does not come.
 */
export class Interleaver {
  readonly #deliver: (frame: MediaFrame) => void;
  readonly #limits: ConversionLimits;
  #held: { readonly frame: MediaFrame; readonly since: number }[] = [];
  #heldBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #patienceMs: number;
  #isGivenUp = false;
  #expectedAt = Number.NEGATIVE_INFINITY;
  #convertedMs = Number.NEGATIVE_INFINITY;
  /** The newest that left without conversion. */
  #directMs = Number.NEGATIVE_INFINITY;

  constructor(deliver: (frame: MediaFrame) => void, limits: ConversionLimits) {
    this.#deliver = deliver;
    this.#limits = limits;
    this.#patienceMs = limits.holdAtStartMs;
  }

  /** Resets the state for a new conversion. */
  restart(): void {
    this.flush();
    this.#patienceMs = this.#limits.holdAtStartMs;
    this.#isGivenUp = false;
    this.#convertedMs = Number.NEGATIVE_INFINITY;
    this.#directMs = Number.NEGATIVE_INFINITY;
  }

  /** A frame went into the conversion: something will come out. */
  expect(): void {
    this.#expectedAt = performance.now();
  }

  /** A frame that needs no conversion. */
  hold(frame: MediaFrame): void {
    const now = performance.now();
    if (this.#isGivenUp || now - this.#expectedAt > this.#limits.silentMs) this.flush();
    else if (this.#held.length > 0 || frame.dtsMs > this.#convertedMs) {
      this.#held.push({ frame, since: now });
      this.#heldBytes += memoryCost(frame);
      if (this.#heldBytes > mostHeldBytes) this.flush();
      else this.#timer ??= setTimeout(this.#onTime, this.#patienceMs);
      return;
    }
    this.#letGo(frame);
  }

  /** A converted frame: everything up to its time goes before it. */
  converted(frame: MediaFrame): void {
    this.#isGivenUp = false;
    this.#convertedMs = frame.dtsMs;
    this.#release(({ frame: { dtsMs } }) => dtsMs <= frame.dtsMs);
    if (this.#patienceMs > this.#limits.holdMs) this.#endCatchUp(frame);
    // Video cannot be left out frame by frame: nothing after it could be decoded.
    if (frame.kind === 'video' || this.#directMs - frame.dtsMs <= lateMs) this.#deliver(frame);
  }

  /** A child that started late has sound of all that time to do. It has begun when it is through with it. */
  #endCatchUp({ dtsMs }: MediaFrame): void {
    const { holdMs } = this.#limits;
    const newest = this.#held.at(-1);
    if (newest && newest.frame.dtsMs - dtsMs > holdMs) return;
    this.#patienceMs = holdMs;
    clearTimeout(this.#timer);
    this.#timer = newest && setTimeout(this.#onTime, holdMs);
  }

  flush(): void {
    this.#release(() => true);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held = [];
    this.#heldBytes = 0;
  }

  readonly #onTime = (): void => {
    this.#timer = undefined;
    const [first] = this.#held;
    if (!first) return;
    const leftMs = first.since + this.#patienceMs - performance.now();
    if (leftMs > 1) {
      this.#timer = setTimeout(this.#onTime, leftMs);
      return;
    }
    this.#isGivenUp = true;
    this.#patienceMs = this.#limits.holdMs;
    this.flush();
  };

  #release(isDue: (held: { readonly frame: MediaFrame }) => boolean): void {
    let first = this.#held[0];
    while (first && isDue(first)) {
      this.#held.shift();
      this.#heldBytes -= memoryCost(first.frame);
      this.#letGo(first.frame);
      first = this.#held[0];
    }
  }

  #letGo(frame: MediaFrame): void {
    this.#directMs = frame.dtsMs;
    this.#deliver(frame);
  }
}
