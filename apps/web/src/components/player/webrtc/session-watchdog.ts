const checkMs = 300;
const longestPauseMs = 8000;

interface Options {
  /** Returns a number that changes while the remote side is heard. */
  readonly readActivity: () => Promise<number>;
  /** Longer than any normal silence. */
  readonly silentMs: number;
  readonly isGone: () => Promise<boolean>;
  readonly onGone: () => void;
}

/**
 * Asks the server whether a silent session still exists. A server that lost it sends nothing, and browsers take many seconds to notice.
 * Checks become less frequent while the session exists.
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
      // The server is unreachable; the browser's own connection state decides.
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
