import { readQuality } from '@weir/streams';
import type { SharedMemory } from '../../delivery/shared-memory.ts';
import type { AdmittedViewer } from '../clients/admission.ts';
import type { Quality } from '../qualities/quality.ts';
import type { Stream, StreamView } from '../stream.ts';
import type { Delivery } from './delivery.ts';
import { FanOut } from './fan-out.ts';
import type { WireFormat } from './wire-format.ts';

/** Fan-outs by quality of a stream and by protocol, each while it has viewers. */
export class FanOuts {
  readonly #format: WireFormat;
  readonly #viewOf: (stream: Stream, quality: Quality | undefined) => StreamView;
  readonly #memory: SharedMemory | undefined;
  readonly #delivery: Delivery | undefined;
  readonly #fanOuts = new Map<Stream | Quality, FanOut>();

  /** `viewOf`: what the viewers of this protocol get of a stream. */
  constructor(
    format: WireFormat,
    viewOf: (stream: Stream, quality: Quality | undefined) => StreamView,
    memory: SharedMemory | undefined,
    delivery?: Delivery,
  ) {
    this.#format = format;
    this.#viewOf = viewOf;
    this.#memory = memory;
    this.#delivery = delivery;
  }

  /** In the quality that the viewer asks for. */
  of({ stream, entry }: Pick<AdmittedViewer, 'stream' | 'entry'>): FanOut {
    const quality = stream.qualities.choose(readQuality(entry.info.param));
    entry.quality = quality?.name;
    const key = quality ?? stream;
    const existing = this.#fanOuts.get(key);
    if (existing) return existing;
    const created = new FanOut(this.#viewOf(stream, quality), this.#format, {
      bytesOut: stream.stats.bytesOut,
      onEmpty: () => this.#fanOuts.delete(key),
      delivery: this.#delivery,
      ...(this.#memory && { memory: this.#memory }),
    });
    this.#fanOuts.set(key, created);
    return created;
  }
}
