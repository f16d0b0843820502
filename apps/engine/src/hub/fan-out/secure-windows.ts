import { SharedBytes } from '../../delivery/shared-bytes.ts';
import type { Audience, Window } from './audience.ts';

/** A window this short can follow every frame. */
const freeMs = 1.5;
/** Waiting this many times what a window takes: encrypting costs more for each write than for its bytes. */
const costFactor = 32;
/** Half of it is the delay a viewer sees in the middle. */
const limitMs = 500;
/** Four whole records. Longer writes cost hardly less. */
const mostBytes = 4 * 16 * 1024;

/** Windows for connections by TLS, gathered to fewer and longer ones the more such viewers there are. */
export class SecureWindows {
  readonly #audience: Audience;
  readonly #onSent: (bytes: number) => void;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #frames = 0;
  #isEntry = false;
  /** Place in the stream of the first byte that waits. */
  #place = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(audience: Audience, onSent: (bytes: number) => void) {
    this.#audience = audience;
    this.#onSent = onSent;
  }

  /** `pieces`: the bytes of the window as they came. `place`: bytes of the stream before it. */
  add(pieces: readonly Buffer[], { bytes, frames, isEntry }: Window, place: number): void {
    if (this.#audience.size === 0) {
      this.stop();
      return;
    }
    // A keyframe begins a window, so that whoever fell behind can go on with a whole one.
    if (isEntry) this.flush();
    if (this.#bytes === 0) {
      this.#place = place;
      this.#isEntry = isEntry;
    }
    for (const piece of pieces) this.#pieces.push(piece);
    this.#bytes += bytes.length;
    this.#frames += frames;
    const { costMs } = this.#audience;
    if (costMs < freeMs || this.#bytes >= mostBytes) this.flush();
    else this.#timer ??= setTimeout(this.#onTime, Math.min(limitMs, costMs * costFactor));
  }

  flush(): void {
    if (this.#bytes === 0) return;
    const bytes = new SharedBytes(this.#pieces, this.#bytes);
    const window: Window = { bytes, frames: this.#frames, isEntry: this.#isEntry };
    this.stop();
    this.#onSent(this.#audience.serve(window, this.#place));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pieces = [];
    this.#bytes = 0;
    this.#frames = 0;
  }

  readonly #onTime = (): void => {
    this.#timer = undefined;
    this.flush();
  };
}
