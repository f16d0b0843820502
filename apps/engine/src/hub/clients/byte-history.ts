const samples = 8;

interface BytesPerSecond {
  readonly in: number;
  readonly out: number;
}

/** Counters of a client at the last few ticks, from which its bitrate follows without work per frame. */
export class ByteHistory {
  /** Time, bytes in, bytes out of each sample, oldest overwritten first. */
  readonly #ring: number[];
  #next = 0;

  constructor(nowMs: number) {
    this.#ring = new Array<number>(samples * 3).fill(0);
    for (let slot = 0; slot < samples; slot++) this.#ring[slot * 3] = nowMs;
  }

  add(nowMs: number, bytesIn: number, bytesOut: number): void {
    this.#ring[this.#next] = nowMs;
    this.#ring[this.#next + 1] = bytesIn;
    this.#ring[this.#next + 2] = bytesOut;
    this.#next = (this.#next + 3) % this.#ring.length;
  }

  /** Average since the youngest sample that is at least this old; since the beginning for one that came later. */
  perSecond(windowMs: number, nowMs: number, bytesIn: number, bytesOut: number): BytesPerSecond {
    let from = this.#next;
    for (let step = 1; step < samples; step++) {
      const slot = (this.#next + step * 3) % this.#ring.length;
      if (nowMs - (this.#ring[slot] ?? 0) < windowMs) break;
      from = slot;
    }
    const seconds = Math.max(1, nowMs - (this.#ring[from] ?? 0)) / 1000;
    const rate = (now: number, then = 0) => (now - then) / seconds;
    return { in: rate(bytesIn, this.#ring[from + 1]), out: rate(bytesOut, this.#ring[from + 2]) };
  }
}
