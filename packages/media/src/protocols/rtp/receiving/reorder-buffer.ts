import { type RtpPacket, SequenceUnwrapper } from '../rtp-packet.ts';

/** A power of two: some seconds of the fastest stream. */
const capacity = 4096;
/** Limit for held packets; above it the missing one is given up. */
const mostBytes = 4 * 1024 * 1024;

/** Numbers that were left out. */
interface Hole {
  /** The number behind it. */
  readonly end: number;
  readonly noticedMs: number;
}

/**
 * Gives packets back in order. One that is missing is waited for, as long as its repair may take from the moment when a
 * later one arrived; in order they pass without delay. Waiting for one hole after the other would add up: on a line that
 * loses many packets everything would come later and later.
 */
export class ReorderBuffer {
  readonly #waitMs: number;
  readonly #unwrapper = new SequenceUnwrapper();
  readonly #slots: (RtpPacket | undefined)[] = new Array(capacity);
  /** The number that comes next, and one past the highest seen. */
  #next: number | undefined;
  #end = 0;
  /** In order; those before the next number are gone. */
  #holes: Hole[] = [];
  /** True when all packets before the next one were dropped. */
  #hasLeapt = false;
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

  push(packet: RtpPacket, nowMs: number): void {
    const sequence = this.#unwrapper.next(packet.sequence);
    this.#next ??= sequence;
    if (sequence < this.#next) return;
    // A jump this far ahead restarts the buffer, because waiting for the packets in between is pointless.
    if (sequence >= this.#next + capacity) {
      this.#slots.fill(undefined);
      this.#bytes = 0;
      this.skipped += sequence - this.#next;
      this.#next = sequence;
      this.#end = sequence;
      this.#holes = [];
      this.#hasLeapt = true;
    }
    if (this.#next >= this.#end && this.#holes.length > 0) this.#holes = [];
    if (sequence > this.#end && this.#end > 0) this.#holes.push({ end: sequence, noticedMs: nowMs });
    this.#bytes += packet.payload.length - (this.#slots[sequence % capacity]?.payload.length ?? 0);
    this.#slots[sequence % capacity] = packet;
    this.#end = Math.max(this.#end, sequence + 1);
  }

  /** The next packet in order; undefined when it has not come and is still waited for. */
  shift(nowMs: number): RtpPacket | undefined {
    if (this.#next === undefined || this.#next >= this.#end) return undefined;
    let packet = this.#slots[this.#next % capacity];
    this.#isAfterGap = this.#hasLeapt;
    if (!packet) {
      if (nowMs - this.#noticedMs(this.#next) < this.#waitMs && this.#bytes <= mostBytes) return undefined;
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
    this.#hasLeapt = false;
    return packet;
  }

  /** True while packets wait for a missing one. */
  get isWaiting(): boolean {
    return this.#next !== undefined && this.#next < this.#end;
  }

  #noticedMs(sequence: number): number {
    let passed = 0;
    while ((this.#holes[passed]?.end ?? Number.POSITIVE_INFINITY) <= sequence) passed += 1;
    if (passed > 0) this.#holes.splice(0, passed);
    return this.#holes[0]?.noticedMs ?? Number.NEGATIVE_INFINITY;
  }
}
