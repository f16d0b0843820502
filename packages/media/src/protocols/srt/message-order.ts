/** SRT counts packets in 31 bits. */
const sequenceMask = 0x7fff_ffff;
const halfCircle = 0x4000_0000;
/** A gap that this many messages could not close stays open: its packets were given up by the sender. */
const mostHeld = 2048;

interface Options {
  /** `message` is only valid during the call. */
  readonly onMessage: (message: Buffer) => void;
  /** Messages missing before the next one. */
  readonly onHole: (messages: number) => void;
  /** True while missing messages may still come. False where libsrt delivers by timestamp, because it gave them up. */
  readonly waits: boolean;
}

/**
 * Puts messages back into the order they were sent in, and tells what is missing. Without timestamp-based delivery libsrt hands
 * a whole message out before an earlier one that is still being repaired, unless the sender asked for order, which many do not.
 */
export class MessageOrder {
  readonly #options: Options;
  readonly #held = new Map<number, Buffer>();
  #next = -1;

  constructor(options: Options) {
    this.#options = options;
  }

  get heldMessages(): number {
    return this.#held.size;
  }

  /** `message` is only read during the call, unless it has to wait: then it is copied. */
  push(sequence: number, message: Buffer): void {
    if (this.#next < 0) this.#next = sequence;
    const missing = (sequence - this.#next) & sequenceMask;
    if (missing >= halfCircle) return;
    if (missing > 0 && this.#options.waits) {
      this.#hold(sequence, message);
      return;
    }
    if (missing > 0) this.#options.onHole(missing);
    this.#next = (sequence + 1) & sequenceMask;
    this.#options.onMessage(message);
    if (this.#held.size > 0) this.#release();
  }

  #hold(sequence: number, message: Buffer): void {
    this.#held.set(sequence, Buffer.from(message));
    if (this.#held.size <= mostHeld) return;
    let nearest = sequence;
    for (const candidate of this.#held.keys()) {
      if (((candidate - this.#next) & sequenceMask) < ((nearest - this.#next) & sequenceMask)) nearest = candidate;
    }
    this.#options.onHole((nearest - this.#next) & sequenceMask);
    this.#next = nearest;
    this.#release();
  }

  #release(): void {
    for (let held = this.#held.get(this.#next); held; held = this.#held.get(this.#next)) {
      this.#held.delete(this.#next);
      this.#next = (this.#next + 1) & sequenceMask;
      this.#options.onMessage(held);
    }
  }
}
