import type { TransportFeedback } from '@weir/media/rtp';
import { DelayTrend, type LineFigures } from './delay-trend.ts';

/** Packets whose arrival may still be told. A power of two. */
const history = 4096;
/** Packets that left together and are enough to tell how fast they arrived. */
const leastTrain = 5;
/** Receivers report times in steps of 0.25 ms, which limits the precision of high rates. */
const shortestMs = 0.25;
const mostKbps = 1_000_000;
/** Smoothing weight; a lower value counts twice, because too many packets harm more than too few. */
const weight = 0.125;

/**
 * Capacity of a viewer's line. Packets of a frame leave at once and arrive as fast as the bottleneck passes them, so
 * each frame measures it.
 */
export class BandwidthEstimate {
  readonly #sentMs = new Float64Array(history);
  readonly #bytes = new Uint16Array(history);
  readonly #trend = new DelayTrend();
  #next = 0;
  #kbps = 0;

  /** 0 while nothing is known. */
  get kbps(): number {
    return Math.round(this.#kbps);
  }

  /** Notes a packet, and tells its number. */
  onSent(bytes: number, nowMs: number): number {
    const number = this.#next;
    this.#next = (number + 1) & 0xffff;
    this.#sentMs[number % history] = nowMs;
    this.#bytes[number % history] = bytes;
    return number;
  }

  /** Tells how the line does now; undefined while nothing has arrived. */
  onFeedback({ base, arrivalsMs }: TransportFeedback, nowMs: number): LineFigures | undefined {
    let train = { sentMs: -1, firstMs: 0, lastMs: 0, bytes: 0, packets: 0 };
    for (const [index, arrivedMs] of arrivalsMs.entries()) {
      if (arrivedMs === undefined) {
        this.#trend.onLost();
        continue;
      }
      const place = (base + index) % history;
      const sentMs = this.#sentMs[place] ?? 0;
      const bytes = this.#bytes[place] ?? 0;
      this.#trend.onArrived(sentMs, arrivedMs, bytes);
      if (sentMs !== train.sentMs) {
        this.#measure(train);
        train = { sentMs, firstMs: arrivedMs, lastMs: arrivedMs, bytes: 0, packets: 1 };
      } else {
        train.lastMs = Math.max(train.lastMs, arrivedMs);
        // The first only starts the clock.
        train.bytes += bytes;
        train.packets += 1;
      }
    }
    this.#measure(train);
    return this.#trend.read(nowMs);
  }

  #measure({
    firstMs,
    lastMs,
    bytes,
    packets,
  }: {
    firstMs: number;
    lastMs: number;
    bytes: number;
    packets: number;
  }): void {
    if (packets < leastTrain) return;
    const kbps = Math.min(mostKbps, (bytes * 8) / Math.max(shortestMs, lastMs - firstMs));
    if (this.#kbps === 0) this.#kbps = kbps;
    else this.#kbps += (kbps - this.#kbps) * (kbps < this.#kbps ? 2 * weight : weight);
  }
}
