/** Number of frames: five seconds at 25 frames per second; odd, so that the median is one of them. */
const keptLeads = 125;
/** Number of frames of which at least one was not delayed. */
const recentLeads = 50;
/** Number of frames in a second. */
const newestLeads = 25;
/** Delay above which a frame comes from a time when the input was behind, rather than from a burst of the line. */
const mostLateMs = 500;
/** Gain of time above which an input is catching up. */
const mostGainMs = 200;

/**
 * Distance of an input's newest frame from our own clock: the median of its last frames. Lines deliver in bursts, so the least
 * delayed frame alone would put an input ahead of where most of its frames are. Frames of an input that was behind and caught up are left
 * out: a cut would put what it sends now that much too late.
 */
export class LiveEdge {
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
    const leastMs = this.#highest(0, recentLeads) - mostLateMs;
    const sorted = this.#leads
      .subarray(0, this.#kept)
      .filter((lead) => lead >= leastMs)
      .sort();
    return sorted[sorted.length >> 1];
  }

  /** True if the newest frames come earlier than those just before: the input was behind and is catching up. */
  get isCatchingUp(): boolean {
    const newer = Math.min(newestLeads, this.#kept >> 1);
    return newer > 0 && this.#highest(0, newer) - this.#highest(newer, newer + recentLeads) > mostGainMs;
  }

  /**
   * True if the newest frames come much later than those before, as after a time without any: the input most likely delivers at once what
   * it kept back. One that stays late is on time again five seconds later.
   */
  get isBehind(): boolean {
    const newer = Math.min(newestLeads, this.#kept >> 1);
    return newer > 0 && this.#highest(newer, this.#kept) - this.#highest(0, newer) > mostLateMs;
  }

  /** Time since the first frame. Encoders send their first frames in a burst, so a young edge is not reliable. */
  ageMs(nowMs: number): number {
    return this.#count === 0 ? 0 : nowMs - this.#firstAtMs;
  }

  /** Starts again, because the clock of the input jumped or another client publishes. */
  reset(): void {
    this.#count = 0;
  }

  get #kept(): number {
    return Math.min(this.#count, keptLeads);
  }

  /** The highest of the leads from the newest but `from` to before the newest but `to`. */
  #highest(from: number, to: number): number {
    let highest = Number.NEGATIVE_INFINITY;
    for (let back = from + 1; back <= Math.min(to, this.#kept); back++) {
      highest = Math.max(highest, this.#leads[(this.#count - back) % keptLeads] ?? highest);
    }
    return highest;
  }
}
