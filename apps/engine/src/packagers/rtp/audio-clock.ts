/** 5 ms: lost packets shorter than this are not told from timestamps that jitter. */
const leastGapTicks = 240;
/** Of a packet of 20 ms. Joined packets are longer, but a gap is as long as one that is lost. */
const longestTicks = 960;
/** So much of a packet's length is a gap. Publishers that read their clock for each packet are up to half of one off. */
const gapShare = 0.75;
/** Of a new difference: evens out over a second, for packets of 20 ms. */
const weight = 1 / 64;

/**
 * RTP timestamps of audio, which count samples. Receivers throw away a packet that claims to begin before the last one has
 * ended, so a publisher's rounded or jittering times must not show. How far its clock runs away from the count of its samples
 * is told in sender reports instead: timestamps go back for nothing, and forward where audio is missing.
 */
export class AudioClock {
  /** Where the next packet begins if nothing is missing. */
  #nextTicks: number | undefined;
  /** What the stream's time is ahead of the timestamps, on average. */
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

  /** What follows has times that are not to be compared with those before. */
  seam(): void {
    this.#isSeam = this.#nextTicks !== undefined;
  }

  /** A time of the stream as sender reports tell it. */
  at(streamTicks: number): number {
    return Math.round(streamTicks - this.#aheadTicks);
  }
}

function gapAfter(samples: number): number {
  return Math.max(leastGapTicks, Math.min(samples, longestTicks) * gapShare);
}
