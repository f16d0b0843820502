/** Repair over a shorter way is there in time by itself. */
const longWayMs = 60;
/** From such a way on each loss is a freeze that everybody notices. */
const veryLongMs = 150;
/** Losses, of all packets, from which on time is left for repair, and below which none is needed any more. */
const lossy = { from: 0.01, fromVeryLong: 0.004, heavy: 0.02, below: 0.003 } as const;
/** Beside the round trip: until a loss is noticed, and until it is asked for once more, or three times. Browsers ask each 100 ms. */
const noticeMs = 60;
const againMs = 100;
const mostAgain = 3;
const mostMs = 1000;
/** Loss-free time before the delay is reduced. */
const calmForMs = 20_000;
/** Slow motion for a moment when it is needed, which is less to see than one freeze; a fiftieth faster afterwards. */
const risePerMs = 2;
const fallPerMs = 0.02;
/** Smoothing weight, applied some ten times a second. */
const weight = 1 / 24;

/**
 * Time that a player should delay video, so that lost packets can be retransmitted in time. Zero on a good line; a
 * round trip and a little more on a long path with loss. Players that do not know the round trip would freeze instead.
 */
export class PlayoutDelay {
  #lostShare = 0;
  #roundTripMs = 0;
  #leastMs = Number.POSITIVE_INFINITY;
  #targetMs = 0;
  #nowMs = 0;
  #currentMs = 0;
  #neededMs = Number.NEGATIVE_INFINITY;

  /** Before repair, on average. */
  get lostShare(): number {
    return this.#lostShare;
  }

  /** Reported round trip, and the current extra queueing delay, which is known sooner. */
  onRoundTrip(roundTripMs: number, queueMs: number): void {
    if (roundTripMs > 0) this.#leastMs = Math.min(this.#leastMs, roundTripMs);
    this.#roundTripMs = Math.max(roundTripMs, Number.isFinite(this.#leastMs) ? this.#leastMs + queueMs : 0);
  }

  onLost(lostShare: number, nowMs: number): void {
    this.#lostShare += (lostShare - this.#lostShare) * weight;
    const wantedMs = this.#wantedMs();
    if (wantedMs > this.#targetMs) this.#targetMs = wantedMs;
    if (wantedMs > 0 && wantedMs > this.#targetMs - againMs) this.#neededMs = nowMs;
    const isCalm = wantedMs > 0 || this.#lostShare < lossy.below;
    if (isCalm && nowMs - this.#neededMs > calmForMs) this.#targetMs = wantedMs;
  }

  /** Delay for players now. */
  at(nowMs: number): number {
    const passedMs = Math.max(0, nowMs - this.#nowMs);
    this.#nowMs = nowMs;
    const missingMs = this.#targetMs - this.#currentMs;
    this.#currentMs += Math.min(passedMs * risePerMs, Math.max(-passedMs * fallPerMs, missingMs));
    return this.#currentMs;
  }

  #wantedMs(): number {
    const from = this.#roundTripMs < veryLongMs ? lossy.from : lossy.fromVeryLong;
    if (this.#lostShare < from || this.#roundTripMs < longWayMs) return 0;
    const times = this.#lostShare < lossy.heavy ? 1 : mostAgain;
    return Math.min(mostMs, this.#roundTripMs + noticeMs + times * againMs);
  }
}
