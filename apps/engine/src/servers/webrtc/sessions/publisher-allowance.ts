/** Upper limit; a publisher starts at full quality because of it. */
const mostBitsPerSecond = 10_000_000;
/** Lower limit: enough for audio and a small video. */
const leastBitsPerSecond = 150_000;
/** Losses above this share mean a line that is full; below the other one it has room. */
const fullShare = 0.1;
const freeShare = 0.02;
/** Share of the received rate that leaves room for retransmissions. */
const fitting = 0.85;
const growth = 1.25;

/**
 * Receiver estimated maximum bitrate (REMB) for publishers without transport feedback. They lower their bitrate by losses
 * alone, starting from the allowed maximum: from 10 Mbit/s that takes longer than a viewer waits.
 */
export class PublisherAllowance {
  #allowed = mostBitsPerSecond;
  #beforeMs: number | undefined;
  #bytesBefore = 0;

  /** Returns the bitrate to allow, by the total of received bytes and the share lost since the last call. */
  next(bytes: number, lostShare: number, nowMs: number): number {
    const seconds = (nowMs - (this.#beforeMs ?? nowMs)) / 1000;
    const received = seconds > 0 ? ((bytes - this.#bytesBefore) * 8) / seconds : mostBitsPerSecond;
    this.#beforeMs = nowMs;
    this.#bytesBefore = bytes;
    if (lostShare > fullShare) this.#allowed = Math.min(this.#allowed, received * fitting);
    else if (lostShare < freeShare) this.#allowed *= growth;
    this.#allowed = Math.max(leastBitsPerSecond, Math.min(mostBitsPerSecond, this.#allowed));
    return this.#allowed;
  }
}
