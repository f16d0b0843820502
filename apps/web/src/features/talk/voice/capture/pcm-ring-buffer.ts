/** The newest samples, as many as fit: what somebody said just before it was asked for. */
export class PcmRingBuffer {
  readonly #samples: Float32Array;
  #at = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#samples = new Float32Array(capacity);
  }

  push(samples: Float32Array): void {
    const capacity = this.#samples.length;
    const newest = samples.length > capacity ? samples.subarray(samples.length - capacity) : samples;
    const untilEnd = Math.min(newest.length, capacity - this.#at);
    this.#samples.set(newest.subarray(0, untilEnd), this.#at);
    this.#samples.set(newest.subarray(untilEnd), 0);
    this.#at = (this.#at + newest.length) % capacity;
    this.#length = Math.min(capacity, this.#length + newest.length);
  }

  /** The newest of it, oldest first, at most so many; nothing is left. */
  drain(most: number): Float32Array {
    const taken = new Float32Array(Math.min(most, this.#length));
    const start = (this.#at - taken.length + this.#samples.length) % this.#samples.length;
    const untilEnd = Math.min(taken.length, this.#samples.length - start);
    taken.set(this.#samples.subarray(start, start + untilEnd));
    taken.set(this.#samples.subarray(0, taken.length - untilEnd), untilEnd);
    this.#length = 0;
    return taken;
  }
}
