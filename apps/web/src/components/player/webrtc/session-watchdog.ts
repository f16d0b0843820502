const checkMs = 300;
const longestPauseMs = 8000;

interface Options {
  /** Something that changes while the other side is heard. */
  readonly readActivity: () => Promise<number>;
  /** Longer than it is ever silent while all is well. */
  readonly silentMs: number;
  /** Whether the server has lost the session. */
  readonly isGone: () => Promise<boolean>;
  readonly onGone: () => void;
}

/**
 * Asks the server whether it still has a session when nothing arrives any more. A server that lost it sends nothing at all, and
 * browsers take many seconds to draw a conclusion from that. While it is only silent it is asked ever less often.
 */
export class SessionWatchdog {
  readonly #options: Options;
  readonly #timer: ReturnType<typeof setInterval>;
  #heard = -1;
  #heardMs = performance.now();
  #pauseMs: number;
  #isLooking = false;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#pauseMs = options.silentMs;
    this.#timer = setInterval(() => void this.#look(), checkMs);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      if ((await this.#isSilent()) && (await this.#options.isGone()) && !this.#isClosed) {
        this.close();
        this.#options.onGone();
      }
    } catch {
      // Out of reach just now: the browser's own word on the connection counts.
    } finally {
      this.#isLooking = false;
    }
  }

  async #isSilent(): Promise<boolean> {
    const heard = await this.#options.readActivity();
    const nowMs = performance.now();
    if (heard !== this.#heard) {
      this.#heard = heard;
      this.#heardMs = nowMs;
      this.#pauseMs = this.#options.silentMs;
      return false;
    }
    if (nowMs - this.#heardMs < this.#pauseMs) return false;
    this.#heardMs = nowMs;
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    return true;
  }
}
