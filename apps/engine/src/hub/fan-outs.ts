import { FanOut, type WireForm } from './fan-out.ts';
import type { Stream } from './stream.ts';

/** One fan-out per stream and protocol, there while it has viewers. */
export class FanOuts {
  readonly #form: WireForm;
  readonly #byStream = new Map<Stream, FanOut>();

  constructor(form: WireForm) {
    this.#form = form;
  }

  of(stream: Stream): FanOut {
    const existing = this.#byStream.get(stream);
    if (existing) return existing;
    const created = new FanOut(stream, this.#form, {
      bytesOut: stream.stats.bytesOut,
      onEmpty: () => this.#byStream.delete(stream),
    });
    this.#byStream.set(stream, created);
    return created;
  }
}
