import type { MediaFrame } from '@weir/media';
import { leadBytes } from '../../../http/prepared.ts';
import { lowLatencyFragmentMs } from '../segments/segment-lengths.ts';
import { PartCutter } from './part-cutter.ts';
import { PartStore, type PartStoreOptions } from './part-store.ts';

export interface PartMakerOptions extends PartStoreOptions {
  /** Longest group of pictures before parts were made; undefined when none was complete. */
  readonly longestGroupMs: number | undefined;
}

/** A third of a second holds a whole number of pictures at every common rate; times of RTMP are rounded. */
export const partTargetMs = 334;
/** A part of a third of a second at 100 Mbit/s. */
const maxPartBytes = 4 * 1024 * 1024;
/** Players begin two or three parts behind the end, and cannot begin without a whole segment: so much is made of the first. */
const firstSegmentMs = 4 * partTargetMs;
/** Longest first group of pictures that is waited for. The first segment may end inside a longer one. */
export const longGroupMs = lowLatencyFragmentMs + 100;
/** Longest wait of the first segment for a keyframe that is expected, so that the second segment begins with it. */
const soonMs = 500;

/** Parts of the open segment: where they end, and where the first segment does, because a viewer waits for it. */
export class PartMaker {
  readonly store: PartStore;
  readonly #longestGroupMs: number | undefined;
  readonly #cutter: PartCutter;
  #open: { readonly startMs: number; isIndependent: boolean | undefined } | undefined;

  constructor(options: PartMakerOptions) {
    this.store = new PartStore(options);
    this.#longestGroupMs = options.longestGroupMs;
    this.#cutter = new PartCutter(options.partTargetMs);
  }

  /** True if the part ends before this frame. To be called for every frame of a segment. */
  isDue(frame: MediaFrame, pendingBytes: number): boolean {
    return this.#cutter.isDue(frame) || pendingBytes >= maxPartBytes;
  }

  /** A frame was added to the part. */
  extend(frame: MediaFrame): void {
    if (!this.#open) this.#cutter.begin(frame);
    this.#open ??= { startMs: frame.dtsMs, isIndependent: undefined };
    if (frame.kind === 'video') this.#open.isIndependent ??= frame.isKeyframe;
  }

  /** The part ends at this time on the stream's clock. */
  finish(roomy: Buffer, endMs: number, { hasVideo, isLast }: { hasVideo: boolean; isLast: boolean }): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const facts = { durationMs: Math.max(1, endMs - open.startMs), isIndependent: open.isIndependent ?? !hasVideo };
    this.store.addPart(roomy.subarray(leadBytes), facts, isLast);
  }

  drop(): void {
    this.#open = undefined;
  }

  /** Drops the learned frame distances. */
  restart(): void {
    this.#cutter.restart();
  }

  /**
   * True if the first segment ends before this frame. A short group of pictures ends the segment. A long group is cut
   * unless it is nearly over; its rest becomes the next segment, the only one of the stream that does not begin with a
   * keyframe.
   */
  endsFirst({ kind, isKeyframe, dtsMs }: MediaFrame, startMs: number, hasVideo: boolean): boolean {
    // A cut before audio would let the next segment begin without a picture, though a keyframe may follow at once.
    if (this.store.isPlayable || (hasVideo && kind === 'audio')) return false;
    const elapsedMs = dtsMs - startMs;
    const groupMs = this.#longestGroupMs ?? 0;
    const isShort = groupMs <= longGroupMs && elapsedMs < longGroupMs;
    const leftMs = groupMs - elapsedMs;
    const isNearlyOver = leftMs > 0 && leftMs <= soonMs;
    const isEnd = (kind === 'video' && isKeyframe) || !(isShort || isNearlyOver) || !hasVideo;
    return isEnd && elapsedMs >= firstSegmentMs;
  }
}
