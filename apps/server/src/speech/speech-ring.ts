const bytesPerSample = 2;

/** The last seconds of a signal, by the position of their samples. */
export class SpeechRing {
  readonly #memory: Buffer;
  /** Samples that were pushed. */
  #length = 0;

  constructor(samples: number) {
    this.#memory = Buffer.alloc(samples * bytesPerSample);
  }

  get length(): number {
    return this.#length;
  }

  push(pcm: Buffer): void {
    const size = this.#memory.length;
    // Only the end of a chunk longer than the ring is kept.
    let from = Math.max(0, pcm.length - size);
    let at = (this.#length * bytesPerSample + from) % size;
    while (from < pcm.length) {
      const copied = pcm.copy(this.#memory, at, from, Math.min(pcm.length, from + size - at));
      from += copied;
      at = (at + copied) % size;
    }
    this.#length += Math.floor(pcm.length / bytesPerSample);
  }

  /** A copy of what is still there between two positions. `start` may be later than asked for. */
  slice(start: number, end: number): { readonly start: number; readonly pcm: Buffer } {
    const size = this.#memory.length;
    const oldest = Math.max(0, this.#length - size / bytesPerSample);
    const from = Math.min(this.#length, Math.max(oldest, start));
    const to = Math.max(from, Math.min(this.#length, end));
    const pcm = Buffer.alloc((to - from) * bytesPerSample);
    const at = (from * bytesPerSample) % size;
    const first = this.#memory.copy(pcm, 0, at, Math.min(size, at + pcm.length));
    this.#memory.copy(pcm, first, 0, pcm.length - first);
    return { start: from, pcm };
  }
}
