import { SharedBytes } from '../../delivery/shared-bytes.ts';
import type { Audience, Window } from './audience.ts';
import { windowFor } from './flush-window.ts';

const mostBytes = 8 * 1024 * 1024;
/** Content of one TLS record. */
const recordBytes = 16 * 1024;
/** Longest wait for a full record; windows for many viewers on plain connections are about as long. */
const recordMs = 170;
/** Least time to encrypt and send a window for one viewer, also where another process does it. */
const viewerCostMs = 0.03;

/**
 * Windows for TLS connections. Their length depends on the time that encrypting a window for all of these viewers takes, so viewers on plain
 * connections, which have windows of their own, are not delayed by it. A window that waits at all waits until a TLS record is full, because
 * most of a viewer's cost is the write, not the bytes.
 */
export class SecureWindows {
  readonly #audience: Audience;
  readonly #onSent: (bytes: number) => void;
  readonly #windowFor: (costMs: number, nowMs: number) => number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #frames = 0;
  #isEntry = false;
  /** Place in the stream of the first waiting byte. */
  #place = 0;
  #timer: NodeJS.Timeout | undefined;
  /** True if the window is due and only waits until a record is full. */
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
    // A keyframe begins a window, because viewers that fell behind continue with a whole window.
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
    const { costMs, size } = this.#audience;
    const waitMs = this.#windowFor(Math.max(costMs, size * viewerCostMs), performance.now());
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
