import type { HlsStream } from '../../packagers/hls/hls-stream.ts';

interface Times {
  low: number;
  ordinary: number;
}

/** When somebody without a session last followed the video of a stream at its ordinary address. */
export class Followers {
  readonly #elapsedMs: () => number;
  readonly #lastMs = new WeakMap<HlsStream, Times>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  note(stream: HlsStream, { isLow }: { isLow: boolean }): void {
    let times = this.#lastMs.get(stream);
    if (!times) {
      times = { low: Number.NEGATIVE_INFINITY, ordinary: Number.NEGATIVE_INFINITY };
      this.#lastMs.set(stream, times);
    }
    times[isLow ? 'low' : 'ordinary'] = this.#elapsedMs();
  }

  hasWithin(stream: HlsStream, { isLow }: { isLow: boolean }, ms: number): boolean {
    const times = this.#lastMs.get(stream);
    return times !== undefined && this.#elapsedMs() - times[isLow ? 'low' : 'ordinary'] < ms;
  }
}
