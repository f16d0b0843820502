import type { MediaFrame } from '@weir/media';

/** Times of the segment that is being filled. */
export class OpenSegment {
  readonly id: string;
  readonly sequence: number;
  readonly startMs: number;
  readonly isDiscontinuity: boolean;
  #endMs: number;
  #hasVideo = false;
  #isIndependent = true;
  #lastMs: { video: number | undefined; audio: number | undefined } = { video: undefined, audio: undefined };

  constructor(first: MediaFrame, facts: { id: string; sequence: number; isDiscontinuity: boolean }) {
    this.id = facts.id;
    this.sequence = facts.sequence;
    this.isDiscontinuity = facts.isDiscontinuity;
    this.startMs = first.dtsMs;
    this.#endMs = first.dtsMs;
  }

  /** Keeps where the newest frame ends, taking it to be as long as the one before it in its track. */
  extend({ kind, dtsMs, isKeyframe }: MediaFrame): void {
    if (kind === 'video' && !this.#hasVideo) {
      this.#hasVideo = true;
      this.#isIndependent = isKeyframe;
    }
    const lastMs = this.#lastMs[kind];
    this.#lastMs[kind] = dtsMs;
    const stepMs = lastMs === undefined ? 0 : Math.min(1000, Math.max(0, dtsMs - lastMs));
    this.#endMs = Math.max(this.#endMs, dtsMs + stepMs);
  }

  /** True if a player can decode all of it without earlier segments. */
  get isIndependent(): boolean {
    return this.#isIndependent;
  }

  /** Until the frame that follows, or until the end of the last one where nothing does. Players need more than nothing. */
  durationMs(next: MediaFrame | undefined): number {
    return Math.max(1, (next?.dtsMs ?? this.#endMs) - this.startMs);
  }
}
