import type { MediaFrame, TrackConfig } from '@weir/media';
import { memoryCost } from '../../hub/own-memory.ts';
import type { Packager } from '../../hub/packager.ts';
import type { HlsVariant } from './hls-variant.ts';
import type { FollowingCutter } from './segments/following-cutter.ts';
import type { Cut } from './segments/segmenter.ts';

/** Frames that wait for the main variant, which cuts at less. */
const mostHeldBytes = 96 * 1024 * 1024;

/**
 * Variant that is only recorded: the frames as they were published, cut where the main variant cuts. The main variant
 * may be later, because it waits for conversions, so frames are held until it has decided.
 */
export class RecordedVariant implements Packager {
  readonly #variant: HlsVariant;
  readonly #cutter: FollowingCutter;
  #held: MediaFrame[] = [];
  #heldBytes = 0;

  constructor(variant: HlsVariant, cutter: FollowingCutter) {
    this.#variant = variant;
    this.#cutter = cutter;
  }

  /** Memory of the frames of the open segment. */
  get bytes(): number {
    return this.#heldBytes + this.#variant.growing.bytes;
  }

  get nextSequence(): number {
    return this.#variant.nextSequence;
  }

  /** Frames since the last keyframe, of a stream that is already being cut. */
  catchUp(frames: readonly MediaFrame[]): void {
    this.#cutter.openNext();
    this.#variant.catchUp(frames);
  }

  /** The main variant begins a segment; undefined: it ended one, and no frame follows. */
  onCut(cut: Cut | undefined): void {
    if (cut) {
      this.#cutter.plan(cut);
      this.#release();
    } else {
      for (const frame of this.#releaseHeld()) this.#variant.onFrame(frame);
      this.#variant.onDiscontinuity();
    }
  }

  onConfig(config: TrackConfig): void {
    this.#variant.onConfig(config);
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    this.#variant.onTrackMissing(kind);
  }

  onFrame(frame: MediaFrame): void {
    this.#held.push(frame);
    this.#heldBytes += memoryCost(frame);
    if (this.#cutter.isWaiting) this.#release();
    else if (this.#heldBytes > mostHeldBytes) this.onCut(undefined);
  }

  onDiscontinuity(): void {
    this.onCut(undefined);
  }

  close(): void {
    this.onCut(undefined);
  }

  dispose(): void {
    this.#variant.dispose();
  }

  /** Up to the frame of the newest cut, whose segment is still open. */
  #release(): void {
    const held = this.#releaseHeld();
    let count = 0;
    while (count < held.length && this.#cutter.isWaiting) {
      const frame = held[count++];
      if (frame) this.#variant.onFrame(frame);
    }
    this.#held = held.slice(count);
    for (const frame of this.#held) this.#heldBytes += memoryCost(frame);
  }

  #releaseHeld(): MediaFrame[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }
}
