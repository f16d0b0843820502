import { type RtpPacket, SequenceUnwrapper } from '../rtp-packet.ts';

/** A power of two: some seconds of the fastest stream. */
const capacity = 4096;
/** Limit for held packets; above it the missing one is given up. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Gives packets back in order. One that is missing is waited for, as long as its repair may take; in order they pass
 * without delay.
 */
export class ReorderBuffer {
  readonly #waitMs: number;
  readonly #unwrapper = new SequenceUnwrapper();
  readonly #slots: (RtpPacket | undefined)[] = new Array(capacity);
  /** The number that comes next, and one past the highest seen. */
  #next: number | undefined;
  #end = 0;
  /** Since when the next one is missing. */
  #missingSinceMs: number | undefined;
  #isAfterGap = false;
  #bytes = 0;
  /** Packets that never came. */
  skipped = 0;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** True if packets before the last released one were given up. */
  get isAfterGap(): boolean {
    return this.#isAfterGap;
  }

  push(packet: RtpPacket): void {
    const sequence = this.#unwrapper.next(packet.sequence);
    this.#next ??= sequence;
    if (sequence < this.#next) return;
    // A jump this far ahead restarts the buffer, because waiting for the packets in between is pointless.
    if (sequence >= this.#next + capacity) {
      this.#slots.fill(undefined);
      this.#bytes = 0;
      this.skipped += sequence - this.#next;
      this.#next = sequence;
      this.#missingSinceMs = Number.NEGATIVE_INFINITY;
    }
    this.#bytes += packet.payload.length - (this.#slots[sequence % capacity]?.payload.length ?? 0);
    this.#slots[sequence % capacity] = packet;
    this.#end = Math.max(this.#end, sequence + 1);
  }

  /** The next packet in order; undefined when it has not come and is still waited for. */
  take(nowMs: number): RtpPacket | undefined {
    if (this.#next === undefined || this.#next >= this.#end) return undefined;
    let packet = this.#slots[this.#next % capacity];
    this.#isAfterGap = this.#missingSinceMs === Number.NEGATIVE_INFINITY;
    if (!packet) {
      this.#missingSinceMs ??= nowMs;
      if (nowMs - this.#missingSinceMs < this.#waitMs && this.#bytes <= mostBytes) return undefined;
      while (!packet && this.#next < this.#end) {
        this.#next += 1;
        this.skipped += 1;
        packet = this.#slots[this.#next % capacity];
      }
      this.#isAfterGap = true;
    }
    this.#slots[this.#next % capacity] = undefined;
    this.#bytes -= packet?.payload.length ?? 0;
    this.#next += 1;
    this.#missingSinceMs = undefined;
    return packet;
  }

  /** True while packets wait for a missing one. */
  get isWaiting(): boolean {
    return this.#next !== undefined && this.#next < this.#end;
  }
}
