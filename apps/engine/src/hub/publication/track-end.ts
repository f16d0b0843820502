/** An odd number, so that the median of whole milliseconds is one of them. */
const keptSteps = 5;
/** A longer step is a pause, not the length of a frame. */
const longestStepMs = 1000;

/** End of a track on the stream's clock, where the next publisher is joined. */
export class TrackEnd {
  readonly #usualStepMs: number;
  readonly #steps: number[] = [];
  #nextStep = 0;
  #lastDtsMs: number | undefined;
  #highestPtsMs = 0;

  /** `usualStepMs`: the length of a frame, until there are two of them. */
  constructor(usualStepMs: number) {
    this.#usualStepMs = usualStepMs;
  }

  /** Undefined before the first frame. */
  get lastDtsMs(): number | undefined {
    return this.#lastDtsMs;
  }

  /** The median of the last steps: RTMP rounds times to milliseconds, and one late frame is no measure. */
  get frameMs(): number {
    const sorted = [...this.#steps].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? this.#usualStepMs;
  }

  /** When the frame that is shown last ends; undefined before the first frame. */
  get endMs(): number | undefined {
    return this.#lastDtsMs === undefined ? undefined : this.#highestPtsMs + this.frameMs;
  }

  push(dtsMs: number, ptsMs: number): void {
    const stepMs = this.#lastDtsMs === undefined ? 0 : dtsMs - this.#lastDtsMs;
    if (stepMs > 0 && stepMs <= longestStepMs) {
      this.#steps[this.#nextStep] = stepMs;
      this.#nextStep = (this.#nextStep + 1) % keptSteps;
    }
    if (this.#lastDtsMs === undefined || ptsMs > this.#highestPtsMs) this.#highestPtsMs = ptsMs;
    if (this.#lastDtsMs === undefined || stepMs > 0) this.#lastDtsMs = dtsMs;
  }
}
