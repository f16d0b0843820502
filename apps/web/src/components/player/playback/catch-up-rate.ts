/** Distance from the target that begins a catch-up, and the one that ends it. */
const startSeconds = 0.15;
const endSeconds = 0.03;
/** Buffered media that faster playback needs, and below which it ends: a stall is worse than a delay. */
const startBufferSeconds = 0.8;
const endBufferSeconds = 0.5;
/** The lowest values within this window count, because media arrives in parts. */
const windowMs = 1000;
/** Minimum time between speed changes. */
const holdMs = 2000;
/** Larger distances are caught up faster. */
const speeds = [
  { overSeconds: 2, rate: 1.2 },
  { overSeconds: 0.6, rate: 1.1 },
  { overSeconds: 0, rate: 1.05 },
];

interface CatchUpSample {
  readonly nowMs: number;
  /** Distance from the target latency. */
  readonly behindSeconds: number;
  /** Buffered media not shown yet. */
  readonly aheadSeconds: number;
}

/**
 * Speed of playback by which a live player returns to its target latency. hls.js changes the speed with each look at the distance, up to
 * five times a second around its threshold, and each change is a break in the audio. One catch-up here is two changes.
 */
export class CatchUpRate {
  #samples: CatchUpSample[] = [];
  #rate = 1;
  #changedAtMs = Number.NEGATIVE_INFINITY;

  /** After a seek or pause: earlier samples say nothing about the new position. */
  reset(): number {
    this.#samples = [];
    this.#rate = 1;
    return this.#rate;
  }

  update(sample: CatchUpSample): number {
    const { nowMs } = sample;
    this.#samples.push(sample);
    while (nowMs - (this.#samples[0]?.nowMs ?? nowMs) > windowMs) this.#samples.shift();
    const ahead = Math.min(...this.#samples.map(({ aheadSeconds }) => aheadSeconds));
    const behind = Math.min(...this.#samples.map(({ behindSeconds }) => behindSeconds));
    if (this.#rate > 1 && (behind < endSeconds || ahead < endBufferSeconds)) return this.#change(1, nowMs);
    if (nowMs - this.#changedAtMs < holdMs) return this.#rate;
    const rate = speeds.find(({ overSeconds }) => behind > overSeconds)?.rate ?? 1;
    if (this.#rate > 1) return rate > this.#rate ? this.#change(rate, nowMs) : this.#rate;
    return behind > startSeconds && ahead > startBufferSeconds ? this.#change(rate, nowMs) : 1;
  }

  #change(rate: number, nowMs: number): number {
    this.#rate = rate;
    this.#changedAtMs = nowMs;
    return rate;
  }
}
