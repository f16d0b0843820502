/** Kept ahead of the picture on a good line, at the worst moment. */
const leastBufferSeconds = 0.25;
const mostBufferSeconds = 2;
/** How much less is kept after a while without a stall. */
const shrinkBy = 0.1;
const shrinkAfterMs = 20_000;
/** After a stall: when late media has come, and how long is looked at what there is of it. */
const burstMs = 500;
const judgeMs = 1500;
const marginSeconds = 0.1;
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

interface BufferSample {
  readonly nowMs: number;
  /** Media that has arrived and is not shown yet. */
  readonly aheadSeconds: number;
  readonly isPlaying: boolean;
}

interface PlaybackAdjustment {
  readonly rate: number;
  /** How far to go forward at once; 0 = not at all. */
  readonly jumpSeconds: number;
}

/**
 * Keeps a live player as near to the edge as its line allows. It plays a little faster while more media waits than needed, so that it does
 * not fall behind a publisher whose clock is fast, and a little slower while there is less. What is needed grows with each stall and shrinks again.
 */
export class LatencyController {
  #targetBufferSeconds = leastBufferSeconds;
  #samples: BufferSample[] = [];
  #rate = 1;
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #startedAtMs: number | undefined;
  #isStalled = false;
  /** Since when it plays again after a stall that is not judged yet. */
  #resumedAtMs: number | undefined;
  #calmSinceMs = 0;

  /** What it tries to keep ahead, in seconds. */
  get targetBufferSeconds(): number {
    return this.#targetBufferSeconds;
  }

  /** Nothing was left to show. */
  onStall(): void {
    this.#isStalled = this.#startedAtMs !== undefined;
  }

  update(sample: BufferSample): PlaybackAdjustment {
    const { nowMs, aheadSeconds, isPlaying } = sample;
    if (!isPlaying) {
      this.#samples = [];
      return this.#adjust(1, nowMs);
    }
    this.#startedAtMs ??= nowMs;
    if (this.#isStalled) {
      this.#isStalled = false;
      this.#resumedAtMs = nowMs;
    }
    if (this.#resumedAtMs !== undefined && nowMs - this.#resumedAtMs < burstMs) this.#samples = [];
    this.#samples.push(sample);
    while (nowMs - (this.#samples[0]?.nowMs ?? nowMs) > windowMs) this.#samples.shift();
    const lowest = Math.min(...this.#samples.map((one) => one.aheadSeconds));
    this.#adapt(nowMs, lowest);
    const excess = this.#resumedAtMs === undefined ? lowest - this.#targetBufferSeconds : 0;
    const limit = nowMs - this.#startedAtMs < startMs ? startJumpSeconds : lateJumpSeconds;
    if (aheadSeconds - this.#targetBufferSeconds > limit && excess > limit / 2) {
      this.#samples = [];
      return { rate: this.#rate, jumpSeconds: aheadSeconds - this.#targetBufferSeconds - deadSeconds };
    }
    const wanted = Math.abs(excess) < deadSeconds ? 1 : Math.min(fastest, Math.max(slowest, 1 + excess * perSecond));
    return this.#adjust(wanted, nowMs);
  }

  /**
   * Media that was late on the line comes all at once after a stall, and is ahead from then on: so much is kept. After a publisher that was
   * away nothing is ahead.
   */
  #adapt(nowMs: number, lowest: number): void {
    if (this.#resumedAtMs !== undefined) {
      this.#calmSinceMs = nowMs;
      if (nowMs - this.#resumedAtMs < judgeMs) return;
      this.#resumedAtMs = undefined;
      if (lowest > this.#targetBufferSeconds)
        this.#targetBufferSeconds = Math.min(mostBufferSeconds, lowest + marginSeconds);
    } else if (nowMs - this.#calmSinceMs > shrinkAfterMs) {
      this.#calmSinceMs = nowMs;
      this.#targetBufferSeconds = Math.max(leastBufferSeconds, this.#targetBufferSeconds - shrinkBy);
    }
  }

  #adjust(wanted: number, nowMs: number): PlaybackAdjustment {
    const rate = Math.round(wanted / rateStep) * rateStep;
    if (Math.abs(rate - this.#rate) >= rateStep / 2 && nowMs - this.#changedAtMs >= holdMs) {
      this.#rate = rate;
      this.#changedAtMs = nowMs;
    }
    return { rate: this.#rate, jumpSeconds: 0 };
  }
}
