import { SequenceUnwrapper } from '../rtp-packet.ts';

/** Interval of reports, because bandwidth estimation needs several a second. */
const everyMs = 100;
/** Packets in one report. If a sender exceeds or skips more between two reports, the newest are reported. */
const most = 1024;

/** Arrival times of one sender's packets, by transport-wide sequence number, until they are reported. */
export class Arrivals {
  readonly #unwrapper = new SequenceUnwrapper();
  readonly #arrivedMs = new Map<number, number>();
  #reportedTo = -1;
  #newest = -1;
  #reportedMs = Number.NEGATIVE_INFINITY;

  onPacket(number: number, nowMs: number): void {
    const extended = this.#unwrapper.next(number);
    // A packet that arrives after its report counts as lost.
    if (extended <= this.#reportedTo) return;
    this.#newest = Math.max(this.#newest, extended);
    this.#arrivedMs.set(extended, nowMs);
    if (this.#newest - extended < most && this.#arrivedMs.size <= most) return;
    for (const known of this.#arrivedMs.keys()) if (this.#newest - known >= most) this.#arrivedMs.delete(known);
  }

  /** Returns the report that is due, from the first arrival to the newest. */
  nextReport(
    nowMs: number,
  ): { readonly base: number; readonly arrivalsMs: readonly (number | undefined)[] } | undefined {
    if (this.#arrivedMs.size === 0 || nowMs - this.#reportedMs < everyMs) return undefined;
    this.#reportedMs = nowMs;
    const first = Math.max(this.#newest - most + 1, Math.min(...this.#arrivedMs.keys()));
    const arrivalsMs = Array.from({ length: this.#newest - first + 1 }, (_, n) => this.#arrivedMs.get(first + n));
    this.#arrivedMs.clear();
    this.#reportedTo = this.#newest;
    return { base: first & 0xffff, arrivalsMs };
  }
}
