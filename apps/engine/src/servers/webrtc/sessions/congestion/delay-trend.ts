/** Line statistics from a receiver's feedback. */
export interface LineFigures {
  /** Queueing delay: the least delay in the newest feedback above the least of some seconds. */
  readonly queueMs: number;
  /** Growth of the queueing delay. */
  readonly growthMs: number;
  /** Received rate. While a queue stands, it is the capacity of the line. */
  readonly receivedKbps: number;
  /** Share of lost packets, 0 to 1. */
  readonly lostShare: number;
}

/** Receivers give feedback 10 to 20 times a second. */
const kept = 32;
const windowMs = 500;
/** A window of less than this many packets says nothing about loss. */
const leastPackets = 5;
/** The least delay is that of this long and the same again before it. */
const baseMs = 5000;

/**
 * Delay, rate and loss of the last half second, from when packets left and arrived. The clocks of both ends differ, so only
 * differences count; of each feedback the least delay, since a process that was not let run is no queue.
 */
export class DelayTrend {
  readonly #heardMs = new Float64Array(kept);
  readonly #delayMs = new Float64Array(kept);
  readonly #bytes = new Float64Array(kept);
  readonly #arrived = new Float64Array(kept);
  readonly #lost = new Float64Array(kept);
  #newest = -1;
  /** Arrival of the packets that are counted in the newest feedback. */
  #least = Number.POSITIVE_INFINITY;
  #leastNow = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;
  #leastSinceMs = Number.NEGATIVE_INFINITY;
  #sumBytes = 0;
  #sumArrived = 0;
  #sumLost = 0;

  /** Adds a packet of a feedback. */
  onArrived(sentMs: number, arrivedMs: number, bytes: number): void {
    const delayMs = arrivedMs - sentMs;
    if (delayMs < this.#least) this.#least = delayMs;
    this.#sumBytes += bytes;
    this.#sumArrived += 1;
  }

  onLost(): void {
    this.#sumLost += 1;
  }

  /** The end of a feedback; undefined when nothing of it had arrived. */
  read(nowMs: number): LineFigures | undefined {
    const hasArrived = this.#sumArrived > 0;
    const delayMs = hasArrived ? this.#least : (this.#delayMs[this.#newest % kept] ?? 0);
    this.#newest += 1;
    const place = this.#newest % kept;
    this.#heardMs[place] = nowMs;
    this.#delayMs[place] = delayMs;
    this.#bytes[place] = this.#sumBytes;
    this.#arrived[place] = this.#sumArrived;
    this.#lost[place] = this.#sumLost;
    this.#least = Number.POSITIVE_INFINITY;
    this.#sumBytes = 0;
    this.#sumArrived = 0;
    this.#sumLost = 0;
    if (!hasArrived && this.#newest === 0) {
      this.#newest = -1;
      return undefined;
    }
    this.#followBase(delayMs, nowMs);
    return this.#figures(delayMs, nowMs);
  }

  #followBase(delayMs: number, nowMs: number): void {
    if (nowMs - this.#leastSinceMs > baseMs) {
      this.#leastBefore = this.#leastNow;
      this.#leastNow = Number.POSITIVE_INFINITY;
      this.#leastSinceMs = nowMs;
    }
    this.#leastNow = Math.min(this.#leastNow, delayMs);
  }

  #figures(delayMs: number, nowMs: number): LineFigures {
    let bytes = 0;
    let arrived = 0;
    let lost = 0;
    let earlierDelayMs = delayMs;
    let sinceMs = nowMs;
    for (let index = this.#newest; index >= 0 && index > this.#newest - kept; index--) {
      const place = index % kept;
      const heardMs = this.#heardMs[place] ?? 0;
      if (nowMs - heardMs > windowMs) {
        sinceMs = Math.max(heardMs, nowMs - 2 * windowMs);
        break;
      }
      bytes += this.#bytes[place] ?? 0;
      arrived += this.#arrived[place] ?? 0;
      lost += this.#lost[place] ?? 0;
      earlierDelayMs = this.#delayMs[place] ?? delayMs;
      sinceMs = Math.min(sinceMs, heardMs);
    }
    const spanMs = Math.max(windowMs / 5, nowMs - sinceMs);
    return {
      queueMs: delayMs - Math.min(this.#leastNow, this.#leastBefore),
      growthMs: delayMs - earlierDelayMs,
      receivedKbps: (bytes * 8) / spanMs,
      lostShare: arrived + lost < leastPackets ? 0 : lost / (arrived + lost),
    };
  }
}
