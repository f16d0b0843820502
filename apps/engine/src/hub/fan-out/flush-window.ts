import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** A flush this short can follow every frame. */
const freeMs = 1.5;
/** Waiting this many times what a flush takes keeps flushing at 4 % of a core, as long as the limit allows. */
const costFactor = 24;
/** Half of it is the delay a viewer sees in the middle. */
const calmLimitMs = 170;
/** When the core is nearly full, later is better than never. */
const busyLimitMs = 350;
const busyFrom = 0.7;
const sampleMs = 500;

/** Load of the event loop, measured at most twice a second. */
class EventLoopLoad {
  #last: EventLoopUtilization = performance.eventLoopUtilization();
  #sampledAt = 0;
  #utilization = 0;

  at(nowMs: number): number {
    if (nowMs - this.#sampledAt >= sampleMs) {
      const current = performance.eventLoopUtilization();
      this.#utilization = performance.eventLoopUtilization(current, this.#last).utilization;
      this.#last = current;
      this.#sampledAt = nowMs;
    }
    return this.#utilization;
  }
}

/** Load of this process. */
export const loopLoad = new EventLoopLoad();

/**
 * Time for which frames are gathered before they are sent together. The cost of a viewer is the number of writes: no
 * gathering with few viewers, up to the delay budget with many, and longer only when the core is full.
 */
export function windowFor(flushCostMs: number, nowMs: number, load = loopLoad.at(nowMs)): number {
  const limit = load >= busyFrom ? busyLimitMs : calmLimitMs;
  const byLoad = load > 0.5 ? (load - 0.5) * 2 * limit : 0;
  const byCost = flushCostMs < freeMs ? 0 : flushCostMs * costFactor;
  return Math.min(limit, Math.max(byLoad, byCost));
}
