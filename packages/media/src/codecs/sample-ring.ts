/** The newest samples of a signal, by their position since its start. Runs in browsers too. */
export class SampleRing<T extends Uint8Array | Float32Array> {
  readonly #memory: T;
  readonly #elements: number;
  #length = 0;

  /** `elements`: of the array, in one sample. */
  constructor(memory: T, elements = 1) {
    this.#memory = memory;
    this.#elements = elements;
  }

  /** Samples that were pushed. */
  get length(): number {
    return this.#length;
  }

  push(samples: T): void {
    const size = this.#memory.length;
    // Only the end of a chunk longer than the ring is kept.
    const surplus = Math.max(0, samples.length - size);
    const at = (this.#length * this.#elements + surplus) % size;
    const untilEnd = surplus + Math.min(samples.length - surplus, size - at);
    this.#memory.set(samples.subarray(surplus, untilEnd), at);
    this.#memory.set(samples.subarray(untilEnd), 0);
    this.#length += Math.floor(samples.length / this.#elements);
  }

  /** Copies what is still there between two positions. `start` may be later than asked for. */
  slice(start: number, end: number): { readonly start: number; readonly samples: T } {
    const size = this.#memory.length;
    const oldest = Math.max(0, this.#length - size / this.#elements);
    const from = Math.min(this.#length, Math.max(oldest, start));
    const to = Math.max(from, Math.min(this.#length, end));
    const samples = this.#memory.slice(0, (to - from) * this.#elements) as T;
    const at = (from * this.#elements) % size;
    const untilEnd = Math.min(samples.length, size - at);
    samples.set(this.#memory.subarray(at, at + untilEnd));
    samples.set(this.#memory.subarray(0, samples.length - untilEnd), untilEnd);
    return { start: from, samples };
  }
}
