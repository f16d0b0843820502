import type { Stream, StreamView } from '../stream.ts';
import { FanOut } from './fan-out.ts';
import type { WireFormat } from './wire-format.ts';

/** One fan-out per stream and protocol, there while it has viewers. */
export class FanOuts {
  readonly #format: WireFormat;
  readonly #viewOf: (stream: Stream) => StreamView;
  readonly #byStream = new Map<Stream, FanOut>();

  /** `viewOf`: what the viewers of this protocol get of a stream. */
  constructor(format: WireFormat, viewOf: (stream: Stream) => StreamView) {
    this.#format = format;
    this.#viewOf = viewOf;
  }

  of(stream: Stream): FanOut {
    const existing = this.#byStream.get(stream);
    if (existing) return existing;
    const created = new FanOut(this.#viewOf(stream), this.#format, {
      bytesOut: stream.stats.bytesOut,
      onEmpty: () => this.#byStream.delete(stream),
    });
    this.#byStream.set(stream, created);
    return created;
  }
}
