/** Number of frames: five seconds at 25 frames per second; odd, so that the median is one of them. */
const keptLeads = 125;
/** Number of frames of which at least one was not delayed. */
const recentLeads = 50;
/** Number of frames in a second. */
const newestLeads = 25;
/** Delay above which an input was behind. Bursts of a line delay frames by less. */
const mostLateMs = 500;
/** Decrease of the delay above which an input is catching up. */
const mostGainMs = 200;

/**
 * Distance of an input's newest frame from our own clock: the median of its last frames. The least delayed frame alone is no measure, because
 * lines deliver in bursts and most frames come later. Frames from a time when the input was behind do not count: after a cut, the input's
 * current frames would come too late by that delay.
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
   * True if the newest frames come much later than earlier ones, for example after a pause: the input is most likely about to deliver the
   * frames it held back. An input that stays late counts as on time after five seconds.
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

  /** Highest lead among the frames `from` to `to`, counted back from the newest, which is number 0; `to` is not included. */
  #highest(from: number, to: number): number {
    let highest = Number.NEGATIVE_INFINITY;
    for (let back = from + 1; back <= Math.min(to, this.#kept); back++) {
      highest = Math.max(highest, this.#leads[(this.#count - back) % keptLeads] ?? highest);
    }
    return highest;
  }
}
