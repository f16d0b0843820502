/** RTMP counts milliseconds in 32 bits, which are over after 49.7 days. Continues the count without end. */
export class RtmpTimestampUnwrapper {
  #last: number | undefined;

  next(value: number): number {
    // The shorter way round the circle: a step back is a late frame, not a lap.
    this.#last = this.#last === undefined ? value : this.#last + ((value - this.#last) | 0);
    return this.#last;
  }
}
