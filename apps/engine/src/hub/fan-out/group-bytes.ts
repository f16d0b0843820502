/** Same limit as the frame cache. */
const mostBytes = 16 * 1024 * 1024;
/** Cost of a batch beside its bytes. */
const batchCost = 512;

/**
 * Bytes sent since the last keyframe. New viewers get the same buffers as others: a thousand viewers that join one by
 * one and never read hold one group of pictures, not a thousand copies.
 */
export class GroupBytes {
  #batches: Buffer[] = [];
  #bytes = 0;
  /** True if it starts with a keyframe and is complete since. */
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
