import type { MediaFrame } from '@weir/media';

/** Times of the segment that is being filled. */
export class OpenSegment {
  readonly sequence: number;
  readonly startMs: number;
  readonly dateMs: number;
  readonly isDiscontinuity: boolean;
  #endMs: number;
  #lastMs: { video: number | undefined; audio: number | undefined } = { video: undefined, audio: undefined };

  constructor(first: MediaFrame, facts: { sequence: number; dateMs: number; isDiscontinuity: boolean }) {
    this.sequence = facts.sequence;
    this.dateMs = facts.dateMs;
    this.isDiscontinuity = facts.isDiscontinuity;
    this.startMs = first.dtsMs;
    this.#endMs = first.dtsMs;
  }

  /** Keeps where the newest frame ends, taking it to be as long as the one before it in its track. */
  extend({ kind, dtsMs }: MediaFrame): void {
    const lastMs = this.#lastMs[kind];
    this.#lastMs[kind] = dtsMs;
    const stepMs = lastMs === undefined ? 0 : Math.min(1000, Math.max(0, dtsMs - lastMs));
    this.#endMs = Math.max(this.#endMs, dtsMs + stepMs);
  }

  /** Until the frame that follows, or until the end of the last one where nothing does. Players need more than nothing. */
  durationMs(next: MediaFrame | undefined): number {
    return Math.max(1, (next?.dtsMs ?? this.#endMs) - this.startMs);
  }
}

/** Dates of frames: the date of the first one after a break, and the stream's own clock from there. */
export class FrameDates {
  readonly #dateMs: () => number;
  #anchor: { dateMs: number; dtsMs: number } | undefined;

  constructor(dateMs: () => number) {
    this.#dateMs = dateMs;
  }

  restart(): void {
    this.#anchor = undefined;
  }

  /** `ageMs`: how long ago the frame was received. */
  of({ dtsMs }: MediaFrame, ageMs = 0): number {
    this.#anchor ??= { dateMs: this.#dateMs() - ageMs, dtsMs };
    return this.#anchor.dateMs + dtsMs - this.#anchor.dtsMs;
  }
}
