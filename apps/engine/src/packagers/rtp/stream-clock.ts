/** More than this apart, the stream was interrupted and its clock is set anew. */
const mostDriftMs = 500;

/**
 * Current time on a stream's clock, for sender reports. Both tracks of a viewer use the same clock, which keeps audio
 * and video in sync.
 */
export class StreamClock {
  #offsetMs: number | undefined;

  follow(streamMs: number, nowMs: number): void {
    const offset = streamMs - nowMs;
    if (this.#offsetMs === undefined || Math.abs(offset - this.#offsetMs) > mostDriftMs) this.#offsetMs = offset;
    // Slowly after the publisher's clock, which runs a little faster or slower than ours.
    else this.#offsetMs += (offset - this.#offsetMs) / 256;
  }

  /** Undefined before the first frame. */
  at(nowMs: number): number | undefined {
    return this.#offsetMs === undefined ? undefined : nowMs + this.#offsetMs;
  }
}
