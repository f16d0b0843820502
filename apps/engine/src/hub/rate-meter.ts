const seconds = 32;

/** Counts things per second over the last half minute, in a ring: adding is cheap and reading needs no timer. */
export class RateMeter {
  readonly #counts = new Float64Array(seconds);
  readonly #startedAt: number;
  #second: number;
  #total = 0;

  constructor(nowMs = Date.now()) {
    this.#second = Math.floor(nowMs / 1000);
    this.#startedAt = this.#second;
  }

  get total(): number {
    return this.#total;
  }

  add(amount: number, nowMs = Date.now()): void {
    this.#moveTo(Math.floor(nowMs / 1000));
    const index = this.#second % seconds;
    this.#counts[index] = (this.#counts[index] ?? 0) + amount;
    this.#total += amount;
  }

  /** Average per second over the last whole seconds, at most 30. */
  perSecond(window: number, nowMs = Date.now()): number {
    this.#moveTo(Math.floor(nowMs / 1000));
    const span = Math.min(window, seconds - 2, Math.max(1, this.#second - this.#startedAt));
    let sum = 0;
    for (let back = 1; back <= span; back++) sum += this.#counts[(this.#second - back) % seconds] ?? 0;
    return sum / span;
  }

  #moveTo(second: number): void {
    const passed = second - this.#second;
    if (passed <= 0) return;
    for (let step = 1; step <= Math.min(passed, seconds); step++) this.#counts[(this.#second + step) % seconds] = 0;
    this.#second = second;
  }
}
