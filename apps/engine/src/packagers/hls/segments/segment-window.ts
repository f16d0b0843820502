/** A finished segment as playlists name it. */
export interface Segment {
  readonly sequence: number;
  /** Relative to the playlist, percent-encoded. */
  readonly uri: string;
  /** On the stream's clock. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Date of its first frame. */
  readonly dateMs: number;
  /** Does not continue the segment before it. */
  readonly isDiscontinuity: boolean;
  /** Pictures begin with a keyframe. */
  readonly isIndependent: boolean;
  /** True if it is empty, because a lower quality paused. */
  readonly isGap?: boolean;
  readonly size: number;
}

/** Limits of a window. Durations are the publisher's claim; the byte limit is not. */
interface WindowLimits {
  readonly windowMs: number;
  readonly maxBytes: number;
  /** Kept for their time alone, as long as the bytes allow. */
  readonly minimum?: number;
}

/** Players follow from the newest; more than that is no window but an archive. */
const mostSegments = 120;
/** Minimum number of segments: players start three before the end. */
const fewestSegments = 3;

/** The segments a playlist shows, and the two counters that players need when some have left it. */
export class SegmentWindow<S extends Segment> {
  #segments: S[] = [];
  #discontinuitySequence = 0;
  #totalMs = 0;
  #totalBytes = 0;

  get segments(): readonly S[] {
    return this.#segments;
  }

  /** Discontinuity tags that have left the playlist (RFC 8216, 4.3.3.3). */
  get discontinuitySequence(): number {
    return this.#discontinuitySequence;
  }

  /** For a playlist that begins later than another of the same stream: this many discontinuities were before. */
  beginAfter(discontinuities: number): void {
    this.#discontinuitySequence = discontinuities;
  }

  /** Adds the newest and returns those that leave: the rest still covers the window without them. */
  add(segment: S, limits: WindowLimits): S[] {
    this.#segments.push(segment);
    this.#totalMs += segment.durationMs;
    this.#totalBytes += segment.size;
    const left: S[] = [];
    for (let oldest = this.#segments[0]; oldest; oldest = this.#segments[0]) {
      if (!this.#isTooLong(oldest, limits) && !this.#isTooHeavy(limits)) break;
      this.#segments.shift();
      this.#totalMs -= oldest.durationMs;
      this.#totalBytes -= oldest.size;
      if (oldest.isDiscontinuity) this.#discontinuitySequence++;
      left.push(oldest);
    }
    return left;
  }

  #isTooLong(oldest: S, { windowMs, minimum = 1 }: WindowLimits): boolean {
    return this.#segments.length > minimum && this.#totalMs - oldest.durationMs >= windowMs;
  }

  #isTooHeavy({ maxBytes }: WindowLimits): boolean {
    const { length } = this.#segments;
    return length > mostSegments || (length > fewestSegments && this.#totalBytes > maxBytes);
  }

  clear(): S[] {
    const all = this.#segments;
    this.#segments = [];
    this.#totalMs = 0;
    this.#totalBytes = 0;
    return all;
  }
}
