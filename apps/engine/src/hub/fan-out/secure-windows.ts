import { SharedBytes } from '../../delivery/shared-bytes.ts';
import type { Audience, Window } from './audience.ts';
import { windowFor } from './flush-window.ts';

const mostBytes = 8 * 1024 * 1024;
/** Content of one TLS record. */
const recordBytes = 16 * 1024;
/** Longest wait for a whole one, about that of many viewers on plain connections. */
const recordMs = 170;

/**
 * Windows for connections by TLS, each as long as it takes to encrypt for all of them: viewers on plain connections do not wait for that, and
 * few of those do not cost many TLS viewers a write for each frame. Where sending takes long enough to gather frames, it goes on to a whole record: a viewer costs
 * a write for each window and little for each byte.
 */
export class SecureWindows {
  readonly #audience: Audience;
  readonly #onSent: (bytes: number) => void;
  readonly #windowFor: (costMs: number, nowMs: number) => number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #frames = 0;
  #isEntry = false;
  /** Place in the stream of the first byte that waits. */
  #place = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Its time is over, and a whole record is all it waits for. */
  #waitsForRecord = false;

  constructor(audience: Audience, onSent: (bytes: number) => void, waitFor: typeof windowFor = windowFor) {
    this.#windowFor = waitFor;
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
    if (this.#bytes >= (this.#waitsForRecord ? recordBytes : mostBytes)) this.flush();
    else if (this.#timer === undefined) this.#schedule();
  }

  #schedule(): void {
    const waitMs = this.#windowFor(this.#audience.costMs, performance.now());
    if (waitMs < 1) this.flush();
    else this.#timer = setTimeout(this.#onTime, waitMs, waitMs);
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
    this.#waitsForRecord = false;
    this.#pieces = [];
    this.#bytes = 0;
    this.#frames = 0;
  }

  readonly #onTime = (waitedMs: number): void => {
    if (this.#bytes < recordBytes && waitedMs < recordMs) {
      this.#waitsForRecord = true;
      this.#timer = setTimeout(this.#onTime, recordMs - waitedMs, recordMs);
    } else this.flush();
  };
}
