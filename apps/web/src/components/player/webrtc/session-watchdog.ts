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
  #activity = -1;
  #activeAtMs = performance.now();
  #pauseMs: number;
  #isChecking = false;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#pauseMs = options.silentMs;
    this.#timer = setInterval(() => void this.#check(), checkMs);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      if ((await this.#isSilent()) && (await this.#options.isGone()) && !this.#isClosed) {
        this.close();
        this.#options.onGone();
      }
    } catch {
      // Out of reach just now: the browser's own word on the connection counts.
    } finally {
      this.#isChecking = false;
    }
  }

  async #isSilent(): Promise<boolean> {
    const activity = await this.#options.readActivity();
    const nowMs = performance.now();
    if (activity !== this.#activity) {
      this.#activity = activity;
      this.#activeAtMs = nowMs;
      this.#pauseMs = this.#options.silentMs;
      return false;
    }
    if (nowMs - this.#activeAtMs < this.#pauseMs) return false;
    this.#activeAtMs = nowMs;
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    return true;
  }
}
