import type { MediaFrame } from '@weir/media';

/** Frames wait this long for the converted ones of their time. */
const longestMs = 300;
/** A source that sent no frame to convert for this long will not make others wait. */
const silentMs = 500;

/**
 * Converted sound comes some 60 ms after its pictures. Holds pictures back until their sound is there, so that frames
 * leave in the order of their times, as files and players of files expect.
 */
export class Interleaver {
  readonly #deliver: (frame: MediaFrame) => void;
  #held: { readonly frame: MediaFrame; readonly since: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sourceAt = Number.NEGATIVE_INFINITY;
  #convertedMs = Number.NEGATIVE_INFINITY;

  constructor(deliver: (frame: MediaFrame) => void) {
    this.#deliver = deliver;
  }

  /** A frame went into the conversion: something will come out. */
  expect(): void {
    this.#sourceAt = performance.now();
  }

  /** A frame that needs no conversion. */
  hold(frame: MediaFrame): void {
    const now = performance.now();
    if (now - this.#sourceAt > silentMs) this.flush();
    if (this.#held.length === 0 && (now - this.#sourceAt > silentMs || frame.dtsMs <= this.#convertedMs)) {
      this.#deliver(frame);
      return;
    }
    this.#held.push({ frame, since: now });
    this.#timer ??= setTimeout(this.#onTime, longestMs);
  }

  /** A converted frame: everything up to its time goes before it. */
  converted(frame: MediaFrame): void {
    this.#convertedMs = frame.dtsMs;
    this.#release((held) => held.frame.dtsMs <= frame.dtsMs);
    this.#deliver(frame);
  }

  flush(): void {
    this.#release(() => true);
    this.#convertedMs = Number.NEGATIVE_INFINITY;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held = [];
  }

  readonly #onTime = (): void => {
    this.#timer = undefined;
    const now = performance.now();
    this.#release(({ since }) => now - since >= longestMs - 1);
    const first = this.#held[0];
    if (first) this.#timer ??= setTimeout(this.#onTime, Math.max(1, first.since + longestMs - now));
  };

  #release(isDue: (held: { readonly frame: MediaFrame; readonly since: number }) => boolean): void {
    let first = this.#held[0];
    while (first && isDue(first)) {
      this.#held.shift();
      this.#deliver(first.frame);
      first = this.#held[0];
    }
  }
}
