import type { SharedMemory } from '../../delivery/shared-memory.ts';
import type { Prepared } from '../../http/prepared.ts';

/**
 * Segments in memory by URL path, each in a buffer or in the memory file. Above its limit it drops the oldest that are also on disk;
 * callers limit those that are not.
 */
export class SegmentCache {
  readonly #maxBytes: number;
  readonly #memory: SharedMemory | undefined;
  readonly #pieces = new Map<string, Prepared>();
  /** Paths that may go, oldest first. */
  readonly #spare = new Set<string>();
  #spareBytes = 0;

  constructor(maxBytes = 512 * 1024 * 1024, memory?: SharedMemory) {
    this.#maxBytes = maxBytes;
    this.#memory = memory;
  }

  get(path: string): Prepared | undefined {
    return this.#pieces.get(path);
  }

  /** For segments that exist only in memory. */
  put(path: string, piece: Prepared): void {
    this.delete(path);
    if (this.#memory) piece.share(this.#memory);
    this.#pieces.set(path, piece);
  }

  /** For segments that are also in a file. */
  putSpare(path: string, piece: Prepared): void {
    this.put(path, piece);
    this.#spare.add(path);
    this.#spareBytes += piece.length;
    for (const oldest of this.#spare) {
      if (this.#spareBytes <= this.#maxBytes || oldest === path) break;
      this.delete(oldest);
    }
  }

  /** Removes the older half of what is also on disk; the newest may still be on their way there. */
  halve(): void {
    this.#deleteAbove(this.#spareBytes / 2);
  }

  #deleteAbove(bytes: number): void {
    for (const oldest of this.#spare) {
      if (this.#spareBytes <= bytes) break;
      this.delete(oldest);
    }
  }

  delete(path: string): void {
    const piece = this.#pieces.get(path);
    if (piece && this.#spare.delete(path)) this.#spareBytes -= piece.length;
    this.#pieces.delete(path);
    piece?.release();
  }
}
