import { WatchClock } from './watch-clock.ts';

/** Checks within one timeout: after a stand-still of the machine at most two of them count. */
const checks = 8;

/**
 * Fires after a time without activity. Only observed time counts: after the process was stopped or starved, data that
 * peers sent meanwhile is still in their sockets and is read before anyone is given up.
 */
export class IdleTimeout {
  readonly #ms: number;
  readonly #stepMs: number;
  readonly #onOver: () => void;
  readonly #clock: WatchClock;
  #sinceMs: number;
  #timer: NodeJS.Timeout;

  constructor(ms: number, onOver: () => void) {
    this.#ms = ms;
    this.#stepMs = ms / checks;
    this.#onOver = onOver;
    this.#clock = new WatchClock(2 * this.#stepMs);
    this.#sinceMs = this.#clock.now();
    this.#timer = setTimeout(this.#check, this.#stepMs);
  }

  /** Restarts the timeout after activity. */
  refresh(): void {
    this.#sinceMs = this.#clock.now();
  }

  /** Idempotent; nothing is called any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  readonly #check = (): void => {
    const leftMs = this.#sinceMs + this.#ms - this.#clock.now();
    if (leftMs <= 0) this.#onOver();
    else this.#timer = setTimeout(this.#check, Math.min(leftMs, this.#stepMs));
  };
}
