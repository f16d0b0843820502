import { SequenceUnwrapper } from '../rtp-packet.ts';

/** Told this often: an estimate of the line needs several times a second. */
const everyMs = 100;
/** Of one report; whoever sends more between two, or leaves out more, is told of the newest. */
const most = 1024;

/** When packets of one sender arrived, by the numbers of its transport, until that is told. */
export class Arrivals {
  readonly #unwrapper = new SequenceUnwrapper();
  readonly #arrivedMs = new Map<number, number>();
  #toldTo = -1;
  #newest = -1;
  #toldMs = Number.NEGATIVE_INFINITY;

  onPacket(number: number, nowMs: number): void {
    const extended = this.#unwrapper.next(number);
    // What comes later than the report that would have had it counts as lost.
    if (extended <= this.#toldTo) return;
    this.#newest = Math.max(this.#newest, extended);
    this.#arrivedMs.set(extended, nowMs);
    if (this.#newest - extended < most && this.#arrivedMs.size <= most) return;
    for (const known of this.#arrivedMs.keys()) if (this.#newest - known >= most) this.#arrivedMs.delete(known);
  }

  /** What is to be told now, if the time has come: from the first that arrived to the newest. */
  take(nowMs: number): { readonly base: number; readonly arrivalsMs: readonly (number | undefined)[] } | undefined {
    if (this.#arrivedMs.size === 0 || nowMs - this.#toldMs < everyMs) return undefined;
    this.#toldMs = nowMs;
    const first = Math.max(this.#newest - most + 1, Math.min(...this.#arrivedMs.keys()));
    const arrivalsMs = Array.from({ length: this.#newest - first + 1 }, (_, n) => this.#arrivedMs.get(first + n));
    this.#arrivedMs.clear();
    this.#toldTo = this.#newest;
    return { base: first & 0xffff, arrivalsMs };
  }
}
