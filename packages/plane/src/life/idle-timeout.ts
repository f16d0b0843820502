import { WatchClock } from './watch-clock.ts';

/** Looks in the whole time: after a stand-still of the machine at most two of them are counted. */
const looks = 8;

/**
 * A limit on silence. It counts watched time only: when this process was stopped, or had no turn for long, what peers sent
 * meanwhile waits in their sockets and is read before anybody is given up.
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
    this.#stepMs = ms / looks;
    this.#onOver = onOver;
    this.#clock = new WatchClock(2 * this.#stepMs);
    this.#sinceMs = this.#clock.now();
    this.#timer = setTimeout(this.#look, this.#stepMs);
  }

  /** Something was heard: it begins anew. */
  refresh(): void {
    this.#sinceMs = this.#clock.now();
  }

  /** Idempotent; nothing is called any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  readonly #look = (): void => {
    const leftMs = this.#sinceMs + this.#ms - this.#clock.now();
    if (leftMs <= 0) this.#onOver();
    else this.#timer = setTimeout(this.#look, Math.min(leftMs, this.#stepMs));
  };
}
