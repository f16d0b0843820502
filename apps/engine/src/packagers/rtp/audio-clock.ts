/** 5 ms: lost packets shorter than this are not told from timestamps that jitter. */
const leastGapTicks = 240;
/** 15 ms. Joined packets are longer, but a gap is as long as one lost packet of 20 ms. */
const mostGapTicks = 720;
/** Share of a packet's length that counts as a gap. Publishers that read their clock for each packet are up to 9 ms off. */
const gapShare = 0.95;
/** Smoothing weight: a time constant of about a second for packets of 20 ms. */
const weight = 1 / 64;

/**
 * RTP timestamps of audio, which count samples. Receivers throw away a packet that claims to begin before the last one has
 * ended, so a publisher's rounded or jittering times must not show. How far its clock runs away from the count of its samples
 * is told in sender reports instead: timestamps go back for nothing, and forward where audio is missing.
 */
export class AudioClock {
  /** Expected start of the next packet. */
  #nextTicks: number | undefined;
  /** Mean lead of the stream's time over the timestamps. */
  #aheadTicks = 0;
  #isSeam = false;

  /** The timestamp of a packet that the stream's clock has at `streamTicks`. */
  next(streamTicks: number, samples: number): number {
    const expected = this.#nextTicks ?? Math.round(streamTicks);
    const missing = streamTicks - this.#aheadTicks - expected;
    let start = expected;
    if (missing > (this.#isSeam ? 0 : gapAfter(samples))) start += Math.round(missing);
    else this.#aheadTicks += missing * (this.#isSeam ? 1 : weight);
    this.#isSeam = false;
    this.#nextTicks = start + samples;
    return start;
  }

  /** Marks a discontinuity of the stream's times. */
  seam(): void {
    this.#isSeam = this.#nextTicks !== undefined;
  }

  /** A time of the stream as sender reports tell it. */
  at(streamTicks: number): number {
    return Math.round(streamTicks - this.#aheadTicks);
  }
}

function gapAfter(samples: number): number {
  return Math.max(leastGapTicks, Math.min(samples * gapShare, mostGapTicks));
}
