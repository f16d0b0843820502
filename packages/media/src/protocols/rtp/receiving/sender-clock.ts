/** A sender's clock that differs this much from what arrives is wrong or a lie. */
const mostCorrectionMs = 10_000;
/** How much faster or slower media may pass while a track is moved to where it belongs. */
const slewRate = 0.25;

/** Where the clocks of one sender's tracks meet: its wall clock, moved to ours by the first track that tells. */
export class SharedClock {
  #offsetMs: number | undefined;

  toOurs(ntpMs: number, guessMs: number): number {
    this.#offsetMs ??= guessMs - ntpMs;
    return ntpMs + this.#offsetMs;
  }
}

interface SenderReport {
  readonly ntpMs: number;
  readonly rtpTimestamp: number;
}

/**
 * RTP timestamps of one track → milliseconds shared by all tracks of the sender. Until its first sender report a track
 * is placed by the arrival of its first packet; then it glides to its place, so that time never steps back. A report that
 * came before anything was asked, as while the first picture is put together, places it at once.
 */
export class SenderClock {
  readonly #clockRate: number;
  readonly #shared: SharedClock;
  #lastTimestamp: number | undefined;
  /** The last timestamp without the wrap at 32 bits. */
  #ticks = 0;
  #offsetMs = 0;
  #targetMs: number | undefined;
  #early: SenderReport | undefined;

  constructor(clockRate: number, shared: SharedClock) {
    this.#clockRate = clockRate;
    this.#shared = shared;
  }

  toMs(timestamp: number, arrivalMs: number): number {
    const ticks = this.#unwrap(timestamp);
    const mediaMs = (ticks * 1000) / this.#clockRate;
    const isFirst = this.#lastTimestamp === undefined;
    if (isFirst) this.#offsetMs = arrivalMs - mediaMs;
    else this.#glide(((ticks - this.#ticks) * 1000) / this.#clockRate);
    this.#lastTimestamp = timestamp;
    this.#ticks = ticks;
    if (isFirst && this.#early) this.#offsetMs = this.#targetOf(this.#early) ?? this.#offsetMs;
    return mediaMs + this.#offsetMs;
  }

  onSenderReport(ntpMs: number, rtpTimestamp: number): void {
    if (this.#lastTimestamp === undefined) this.#early = { ntpMs, rtpTimestamp };
    else this.#targetMs = this.#targetOf({ ntpMs, rtpTimestamp });
  }

  #targetOf({ ntpMs, rtpTimestamp }: SenderReport): number | undefined {
    const mediaMs = (this.#unwrap(rtpTimestamp) * 1000) / this.#clockRate;
    const target = this.#shared.toOurs(ntpMs, mediaMs + this.#offsetMs) - mediaMs;
    return Math.abs(target - this.#offsetMs) <= mostCorrectionMs ? target : undefined;
  }

  #glide(passedMs: number): void {
    if (this.#targetMs === undefined || passedMs <= 0) return;
    const missing = this.#targetMs - this.#offsetMs;
    this.#offsetMs += Math.sign(missing) * Math.min(Math.abs(missing), passedMs * slewRate);
  }

  #unwrap(timestamp: number): number {
    return this.#lastTimestamp === undefined ? timestamp : this.#ticks + ((timestamp - this.#lastTimestamp) | 0);
  }
}
