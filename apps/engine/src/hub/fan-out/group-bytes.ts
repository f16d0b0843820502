/** As much as the cache of frames may hold. */
const mostBytes = 16 * 1024 * 1024;
/** What a batch costs beside its bytes. */
const batchCost = 512;

/**
 * What went out since the last keyframe, as it went out. Whoever joins gets the very buffers that others got: a thousand
 * viewers who come one by one and never read hold one group of pictures, not a thousand copies.
 */
export class GroupBytes {
  #batches: Buffer[] = [];
  #bytes = 0;
  /** It begins with a keyframe and nothing is missing since. */
  #isWhole = false;

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get batches(): readonly Buffer[] {
    return this.#batches;
  }

  begin(batch: Buffer): void {
    this.#batches = [batch];
    this.#bytes = batch.length + batchCost;
    this.#isWhole = true;
  }

  add(batch: Buffer): void {
    if (!this.#isWhole) return;
    this.#batches.push(batch);
    this.#bytes += batch.length + batchCost;
    if (this.#bytes > mostBytes) this.clear();
  }

  clear(): void {
    this.#batches = [];
    this.#bytes = 0;
    this.#isWhole = false;
  }
}
