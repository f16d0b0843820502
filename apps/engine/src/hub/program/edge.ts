/** Five seconds at 25 frames per second; odd, so that the median is one of them. */
const keptLeads = 125;

/**
 * How far the newest frame of an input is ahead of our own clock: the median of its last frames. Lines deliver in bursts, so the least
 * delayed frame alone would put an input ahead of where most of its frames are.
 */
export class Edge {
  readonly #leads = new Float64Array(keptLeads);
  #count = 0;
  #firstAtMs = 0;

  push(dtsMs: number, nowMs: number): void {
    if (this.#count === 0) this.#firstAtMs = nowMs;
    this.#leads[this.#count % keptLeads] = dtsMs - nowMs;
    this.#count += 1;
  }

  /** Undefined before the first frame. */
  get ms(): number | undefined {
    if (this.#count === 0) return undefined;
    const sorted = this.#leads.slice(0, Math.min(this.#count, keptLeads)).sort();
    return sorted[sorted.length >> 1];
  }

  /** Time since its first frame. Encoders send their first frames in a burst, so a young edge is not to be trusted. */
  ageMs(nowMs: number): number {
    return this.#count === 0 ? 0 : nowMs - this.#firstAtMs;
  }

  /** The clock of the input jumped, or another one publishes. */
  reset(): void {
    this.#count = 0;
  }
}
