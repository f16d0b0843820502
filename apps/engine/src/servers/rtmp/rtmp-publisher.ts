import type { Socket } from 'node:net';
import { FlvBodyReader, type RtmpEvent } from '@weir/media';
import type { AdmittedPublisher } from '../../hub/clients/admission.ts';
import type { ReadPace } from './read-pace.ts';

/** RTMP counts milliseconds in 32 bits, which are over after 49.7 days. Continues the count without end. */
class RtmpTimestampUnwrapper {
  #last: number | undefined;

  next(value: number): number {
    // The shorter way round the circle: a step back is a late frame, not a lap.
    this.#last = this.#last === undefined ? value : this.#last + ((value - this.#last) | 0);
    return this.#last;
  }
}

interface Options {
  readonly admitted: AdmittedPublisher;
  readonly socket: Socket;
  readonly pace: ReadPace;
}

/** A peer that was allowed to publish: FLV bodies in, frames out. */
export class RtmpPublisher {
  readonly #options: Options;
  readonly #body = new FlvBodyReader();
  readonly #clock = new RtmpTimestampUnwrapper();

  constructor(options: Options) {
    this.#options = options;
    options.pace.add(options.socket);
  }

  /** Counts received bytes before they are processed. */
  count(bytes: number): void {
    this.#options.admitted.entry.counters.bytesIn += bytes;
  }

  /** Schedules the next read after processing. */
  took(bytes: number): void {
    this.#options.pace.took(this.#options.socket, bytes);
  }

  onMedia({ kind, timestamp, payload }: Extract<RtmpEvent, { type: 'media' }>): void {
    const { publication } = this.#options.admitted;
    for (const item of this.#body.read(kind, this.#clock.next(timestamp), payload)) {
      if (item.type === 'frame') publication.frame(item.frame);
      else if (item.type === 'config') publication.config(item.config);
      else publication.metadata(item.values);
    }
  }

  /** Once, however it came to an end. */
  leave(reason: string): void {
    this.#options.pace.remove(this.#options.socket);
    this.#options.admitted.leave(reason);
  }
}
