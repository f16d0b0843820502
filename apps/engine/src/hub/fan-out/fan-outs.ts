import type { Stream, StreamView } from '../stream.ts';
import { FanOut, type WireForm } from './fan-out.ts';

/** One fan-out per stream and protocol, there while it has viewers. */
export class FanOuts {
  readonly #form: WireForm;
  readonly #viewOf: (stream: Stream) => StreamView;
  readonly #byStream = new Map<Stream, FanOut>();

  /** `viewOf`: what the viewers of this protocol get of a stream. */
  constructor(form: WireForm, viewOf: (stream: Stream) => StreamView) {
    this.#form = form;
    this.#viewOf = viewOf;
  }

  of(stream: Stream): FanOut {
    const existing = this.#byStream.get(stream);
    if (existing) return existing;
    const created = new FanOut(this.#viewOf(stream), this.#form, {
      bytesOut: stream.stats.bytesOut,
      onEmpty: () => this.#byStream.delete(stream),
    });
    this.#byStream.set(stream, created);
    return created;
  }
}
