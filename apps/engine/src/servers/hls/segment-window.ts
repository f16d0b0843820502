/** A finished segment as playlists name it. */
export interface Segment {
  readonly sequence: number;
  /** Relative to the playlist, percent-encoded. */
  readonly uri: string;
  readonly durationMs: number;
  /** Date of its first frame. */
  readonly dateMs: number;
  /** Does not continue the segment before it. */
  readonly isDiscontinuity: boolean;
}

/** The segments a playlist shows, and the two counters that players need when some have left it. */
export class SegmentWindow<S extends Segment> {
  #segments: S[] = [];
  #discontinuitySequence = 0;
  #totalMs = 0;

  get segments(): readonly S[] {
    return this.#segments;
  }

  /** Discontinuity tags that have left the playlist (RFC 8216, 4.3.3.3). */
  get discontinuitySequence(): number {
    return this.#discontinuitySequence;
  }

  /** Adds the newest and returns those that leave: the rest still covers the window without them. */
  add(segment: S, windowMs: number, minimum = 1): S[] {
    this.#segments.push(segment);
    this.#totalMs += segment.durationMs;
    const left: S[] = [];
    for (let oldest = this.#segments[0]; oldest; oldest = this.#segments[0]) {
      if (this.#segments.length <= minimum || this.#totalMs - oldest.durationMs < windowMs) break;
      this.#segments.shift();
      this.#totalMs -= oldest.durationMs;
      if (oldest.isDiscontinuity) this.#discontinuitySequence++;
      left.push(oldest);
    }
    return left;
  }

  clear(): S[] {
    const all = this.#segments;
    this.#segments = [];
    this.#totalMs = 0;
    return all;
  }
}
