/** Nearly every message fits. A longer one gets more room as its bytes come, so that a claim alone costs little. */
const firstAllocationBytes = 256 * 1024;

/** State of one chunk stream: its last header and the unfinished message. */
export class ChunkStream {
  timestamp = 0;
  delta = 0;
  length = 0;
  type = 0;
  streamId = 0;
  /** The 32-bit field of the last header that had one; -1 without. */
  extended = -1;
  wasAbsolute = false;
  /** The message under way. */
  payload: Buffer | undefined;
  filled = 0;
  begunAtMs = 0;

  /** Room for the message that begins now, dated. */
  reserve(nowMs: number): void {
    this.payload = Buffer.allocUnsafe(Math.min(this.length, firstAllocationBytes));
    this.begunAtMs = nowMs;
  }

  /** The payload under way, with room for as many bytes more. */
  grown(more: number): Buffer {
    const payload = this.payload ?? Buffer.alloc(0);
    const needed = this.filled + more;
    if (needed <= payload.length) return payload;
    const larger = Buffer.allocUnsafe(Math.min(this.length, Math.max(needed, payload.length * 2)));
    payload.copy(larger, 0, 0, this.filled);
    this.payload = larger;
    return larger;
  }
}
