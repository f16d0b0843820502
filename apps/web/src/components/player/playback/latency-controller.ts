/** Kept ahead of the picture on a good line, at the worst moment. */
const leastReserve = 0.25;
const mostReserve = 2;
/** How much less is kept after a while without a stall. */
const shrinkBy = 0.1;
const shrinkAfterMs = 20_000;
/** A stall this long is no jitter: the publisher left, or the line did. */
const longestJitterMs = 3000;
/** What was kept at the worst moment of so long is what counts: media comes in bursts. */
const windowMs = 2000;
/** So far off is nothing to act upon. */
const deadSeconds = 0.06;
/** What is heard as it is, at another speed: up to a tenth. */
const slowest = 0.96;
const fastest = 1.1;
const perSecond = 0.2;
const rateStep = 0.01;
/** Speeds do not change more often. */
const holdMs = 500;
/** Too far behind to be caught up with: at the start, when a player gets all since the last keyframe, and later. */
const startJumpSeconds = 1;
const lateJumpSeconds = 4;
const startMs = 3000;

interface Look {
  readonly nowMs: number;
  /** Media that has arrived and is not shown yet. */
  readonly aheadSeconds: number;
  readonly isPlaying: boolean;
}

interface Advice {
  readonly rate: number;
  /** How far to go forward at once; 0 = not at all. */
  readonly jumpSeconds: number;
}

/**
 * Keeps a live player as near to the edge as its line allows. It plays a little faster while more media waits than needed, so that it does
 * not fall behind a publisher whose clock is fast, and a little slower while there is less. What is needed grows with each stall and shrinks again.
 */
export class LatencyController {
  #reserve = leastReserve;
  #looks: Look[] = [];
  #rate = 1;
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #startedAtMs: number | undefined;
  #stalledAtMs: number | undefined;
  #calmSinceMs = 0;

  /** What it tries to keep ahead, in seconds. */
  get reserve(): number {
    return this.#reserve;
  }

  /** Nothing was left to show. */
  onStall(nowMs: number): void {
    if (this.#startedAtMs === undefined) return;
    this.#stalledAtMs ??= nowMs;
  }

  look(look: Look): Advice {
    const { nowMs, aheadSeconds, isPlaying } = look;
    if (!isPlaying) {
      this.#looks = [];
      return this.#advise(1, nowMs);
    }
    this.#startedAtMs ??= nowMs;
    this.#adapt(nowMs);
    this.#looks.push(look);
    while (nowMs - (this.#looks[0]?.nowMs ?? nowMs) > windowMs) this.#looks.shift();
    const excess = Math.min(...this.#looks.map((one) => one.aheadSeconds)) - this.#reserve;
    const limit = nowMs - this.#startedAtMs < startMs ? startJumpSeconds : lateJumpSeconds;
    if (aheadSeconds - this.#reserve > limit && excess > limit / 2) {
      this.#looks = [];
      return { rate: this.#rate, jumpSeconds: aheadSeconds - this.#reserve - deadSeconds };
    }
    const wanted = Math.abs(excess) < deadSeconds ? 1 : Math.min(fastest, Math.max(slowest, 1 + excess * perSecond));
    return this.#advise(wanted, nowMs);
  }

  /** It plays again after a stall: what was missing is kept from now on. */
  #adapt(nowMs: number): void {
    if (this.#stalledAtMs !== undefined) {
      const stalledMs = nowMs - this.#stalledAtMs;
      this.#stalledAtMs = undefined;
      this.#calmSinceMs = nowMs;
      this.#looks = [];
      if (stalledMs <= longestJitterMs) this.#reserve = Math.min(mostReserve, this.#reserve + 0.1 + stalledMs / 1000);
    } else if (nowMs - this.#calmSinceMs > shrinkAfterMs) {
      this.#calmSinceMs = nowMs;
      this.#reserve = Math.max(leastReserve, this.#reserve - shrinkBy);
    }
  }

  #advise(wanted: number, nowMs: number): Advice {
    const rate = Math.round(wanted / rateStep) * rateStep;
    if (Math.abs(rate - this.#rate) >= rateStep / 2 && nowMs - this.#changedAtMs >= holdMs) {
      this.#rate = rate;
      this.#changedAtMs = nowMs;
    }
    return { rate: this.#rate, jumpSeconds: 0 };
  }
}
