import type { SrtFacts } from './libsrt/srt-facts.ts';

/** Share of packets lost, and milliseconds that the round trip is above its lowest: beyond both a line counts as crowded. */
const crowdedLoss = 0.1;
const crowdedMs = 50;
/** Below either it has room again. */
const clearLoss = 0.03;
const clearMs = 25;
/** A round trip that stays longer becomes the usual one, by so much at each look. */
const creepMs = 1;

/**
 * Tells a line that is too narrow from one that loses packets: on the narrow one a queue grows as well. Every packet that is sent
 * again then takes the place of a new one, which is lost in turn and sent again.
 */
export class CongestionDetector {
  isCrowded = false;
  #lowestRttMs = Number.POSITIVE_INFINITY;
  #lost = 0;
  #received = 0;

  /** Called about once a second. Returns whether the result changed. */
  update({
    rttMs,
    packetsLost,
    packetsReceived,
  }: Pick<SrtFacts, 'rttMs' | 'packetsLost' | 'packetsReceived'>): boolean {
    const lost = packetsLost - this.#lost;
    const received = packetsReceived - this.#received;
    this.#lost = packetsLost;
    this.#received = packetsReceived;
    this.#lowestRttMs = Math.min(rttMs, this.#lowestRttMs + creepMs);
    const loss = lost / Math.max(1, lost + received);
    const aboveMs = rttMs - this.#lowestRttMs;
    const before = this.isCrowded;
    this.isCrowded = before ? loss > clearLoss && aboveMs > clearMs : loss > crowdedLoss && aboveMs > crowdedMs;
    return this.isCrowded !== before;
  }
}
