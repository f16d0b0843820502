/** Lowest buffer level to keep on a good connection. */
const leastBufferSeconds = 0.25;
const mostBufferSeconds = 2;
/** At first, until the connection has shown that it is good. */
const firstBufferSeconds = 0.4;
/** Reduction of the target after a while without stalls. */
const shrinkBy = 0.1;
const shrinkAfterMs = 20_000;
/** After a stall: time for late media to arrive, and time to observe the buffer. */
const burstMs = 500;
const judgeMs = 1500;
const marginSeconds = 0.1;
/** The lowest level within this window counts, because media arrives in bursts. */
const windowMs = 2000;
/** Deviations that begin and end a correction. Chromium's audio clicks at each change of speed, so one correction is two changes. */
const startSeconds = 0.1;
const endSeconds = 0.02;
/** Speed changes of up to a tenth are not audible. */
const slowest = 0.96;
const fastest = 1.1;
const perSecond = 0.2;
const rateStep = 0.01;
/** A correction becomes this much faster where its speed does not do. */
const leastRise = 0.04;
/** Minimum time between speed changes. */
const holdMs = 500;
/** Distances too large to catch up by speed: at the start (a player receives everything since the last keyframe) and later. */
const startJumpSeconds = 1;
const lateJumpSeconds = 4;
const startMs = 3000;

interface BufferSample {
  readonly nowMs: number;
  /** Buffered media not shown yet. */
  readonly aheadSeconds: number;
  readonly isPlaying: boolean;
}

interface PlaybackAdjustment {
  readonly rate: number;
  /** Seek forward by this much; 0 for none. */
  readonly jumpSeconds: number;
}

/**
 * Keeps a live player as close to the live edge as its connection allows. Plays slightly faster while the buffer exceeds the target, so
 * that a publisher with a fast clock does not get ahead, and slower while it is below. The target grows with each stall and shrinks again.
 */
export class LatencyController {
  #targetBufferSeconds = firstBufferSeconds;
  #samples: BufferSample[] = [];
  #rate = 1;
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #startedAtMs: number | undefined;
  #isStalled = false;
  /** Resume time after a stall that is not evaluated yet. */
  #resumedAtMs: number | undefined;
  #calmSinceMs = 0;

  get targetBufferSeconds(): number {
    return this.#targetBufferSeconds;
  }

  /** The buffer ran empty. */
  onStall(): void {
    this.#isStalled = this.#startedAtMs !== undefined;
  }

  update(sample: BufferSample): PlaybackAdjustment {
    const { nowMs, aheadSeconds, isPlaying } = sample;
    if (!isPlaying) {
      this.#samples = [];
      return this.#adjust(1, nowMs);
    }
    if (this.#startedAtMs === undefined) this.#calmSinceMs = nowMs;
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
      return { rate: this.#rate, jumpSeconds: aheadSeconds - this.#targetBufferSeconds - startSeconds / 2 };
    }
    return this.#adjust(this.#rateFor(excess), nowMs);
  }

  /**
   * Media delayed by the network arrives in a burst after a stall and stays buffered; that amount becomes the target. After a pause of the
   * publisher nothing is buffered.
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

  #rateFor(excess: number): number {
    const wanted = Math.min(fastest, Math.max(slowest, 1 + excess * perSecond));
    const isGoingOn = this.#rate > 1 ? excess > endSeconds : this.#rate < 1 && excess < -endSeconds;
    if (isGoingOn) return Math.abs(wanted - 1) - Math.abs(this.#rate - 1) >= leastRise ? wanted : this.#rate;
    return Math.abs(excess) < startSeconds ? 1 : wanted;
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
