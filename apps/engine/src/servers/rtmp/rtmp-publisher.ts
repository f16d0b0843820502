import type { Socket } from 'node:net';
import { FlvTracksReader, type RtmpEvent } from '@weir/media';
import type { AdmittedPublisher } from '../../hub/clients/admission.ts';
import { PublishedTracks } from '../../hub/tracks/published-tracks.ts';
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
  readonly #reader: FlvTracksReader;
  readonly #clock = new RtmpTimestampUnwrapper();

  constructor(options: Options) {
    this.#options = options;
    const tracks = new PublishedTracks(options.admitted.publication);
    this.#reader = new FlvTracksReader((item, track) => tracks.push(item, track));
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
    this.#reader.read(kind, this.#clock.next(timestamp), payload);
  }

  /** Called exactly once at the end. */
  leave(reason: string): void {
    this.#options.pace.remove(this.#options.socket);
    this.#options.admitted.leave(reason);
  }
}
