/** Close enough for seconds, far enough apart to be free. */
const stepMs = 200;
/** Half a minute: a viewer that stays further behind is dropped before. */
const size = 150;

/** When how much of a stream had gone out, so that the age of an unsent byte is known by its place. */
export class SendTimes {
  readonly #totals = new Float64Array(size);
  readonly #times = new Float64Array(size);
  #marks = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `total`: bytes that went out before now. */
  mark(total: number, nowMs: number): void {
    if (nowMs - this.#lastMs < stepMs) return;
    this.#lastMs = nowMs;
    this.#totals[this.#marks % size] = total;
    this.#times[this.#marks % size] = nowMs;
    this.#marks += 1;
  }

  /** Age of the byte at this position, as far back as known. */
  ageOf(place: number, nowMs: number): number {
    const oldest = Math.max(0, this.#marks - size);
    if (this.#marks === 0) return 0;
    let [low, high] = [oldest, this.#marks - 1];
    // The last mark before the byte.
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#totals[middle % size] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, nowMs - (this.#times[low % size] ?? nowMs));
  }
}
