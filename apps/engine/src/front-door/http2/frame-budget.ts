/** Initial budget of bytes beside requests and their bodies. */
const burstBytes = 128 * 1024;
const bytesPerSecond = 4 * 1024;
const mostBytes = 512 * 1024;
/** Share of sent bytes that the receiver may use for window updates: 13 bytes for each few kilobytes at most. */
const windowShare = 1 / 64;
/** Cancelled requests allowed initially, and per second. */
const burstResets = 100;
const resetsPerSecond = 10;

/**
 * Limits the bytes of a client beside those of answered requests. Frames of every type count by their size (settings, pings, windows,
 * priorities, empty data, headers without end), so that no kind of flood needs a rule of its own.
 */
export class FrameBudget {
  #bytes = burstBytes;
  #resets = burstResets;
  #read = 0;
  #lastMs: number;

  constructor(nowMs: number) {
    this.#lastMs = nowMs;
  }

  /** Records a request with the uncompressed size of its fields, or bytes of a body. */
  received(bytes: number): void {
    this.#bytes += bytes;
  }

  sent(bytes: number): void {
    this.#bytes += bytes * windowShare;
  }

  /** Records a cancelled request. Returns false if they are too many. */
  reset(): boolean {
    this.#resets -= 1;
    return this.#resets >= 0;
  }

  /**
   * False when the client sends too much that is of no use. `totalRead`: all bytes that have come on the connection; `unread`: those of bodies
   * that nobody has received yet.
   */
  pass(totalRead: number, nowMs: number, unread: () => number): boolean {
    const seconds = (nowMs - this.#lastMs) / 1000;
    this.#lastMs = nowMs;
    this.#resets = Math.min(burstResets, this.#resets + seconds * resetsPerSecond);
    if (this.#bytes < burstBytes) this.#bytes = Math.min(burstBytes, this.#bytes + seconds * bytesPerSecond);
    this.#bytes = Math.min(mostBytes, this.#bytes - (totalRead - this.#read));
    this.#read = totalRead;
    return this.#bytes >= 0 || this.#bytes + unread() >= 0;
  }
}
