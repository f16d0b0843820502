import { type Demuxed, MalformedMedia, MessageOrder } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { IdleTimeout } from '@weir/plane';
import type { RemotePublisher } from '../../../workers/worker/remote-admission.ts';
import type { SrtSocketOwner } from './libsrt/srt-socket.ts';

interface Options {
  readonly admitted: RemotePublisher;
  /** Without a message for this long it is gone, though its SRT answers. */
  readonly idleMs: number;
  /** True if libsrt delivers in order and gives up late packets. */
  readonly isTimed: boolean;
  readonly end: (reason: string) => void;
}

/** A message is up to so many packets of MPEG-TS. */
const packetsPerMessage = 7;

/** A caller that was allowed to publish: MPEG-TS in, frames out. */
export class SrtPublisher implements SrtSocketOwner {
  readonly #options: Options;
  readonly #demuxer = new MpegTsDemuxer({ keepsCutVideo: true });
  readonly #order: MessageOrder;
  readonly #idle: IdleTimeout;

  constructor(options: Options) {
    this.#options = options;
    this.#order = new MessageOrder({
      waits: !options.isTimed,
      onMessage: (message) => this.#take(this.#demuxer.push(message)),
      onHole: (messages) => this.#take(this.#demuxer.lose(messages * packetsPerMessage)),
    });
    this.#idle = new IdleTimeout(options.idleMs, () => options.end('nothing received'));
  }

  onMessage(message: Buffer, sequence: number): void {
    this.#options.admitted.entry.counters.bytesIn += message.length;
    this.#idle.refresh();
    try {
      this.#order.push(sequence, message);
    } catch (error) {
      this.#options.end(error instanceof MalformedMedia ? `malformed: ${error.message}` : 'internal error');
      if (!(error instanceof MalformedMedia)) throw error;
    }
  }

  onWritable(): void {}

  onGone(reason: string): void {
    this.#options.end(reason);
  }

  /** Once, however it came to an end. */
  leave(reason: string): void {
    this.#idle.end();
    try {
      this.#take(this.#demuxer.flush());
    } catch {
      // Its end is cut off: that costs the last picture, which nobody waits for.
    }
    this.#options.admitted.leave(reason);
  }

  #take(items: readonly Demuxed[]): void {
    const { publication } = this.#options.admitted;
    for (const item of items) {
      if (item.type === 'frame') publication.frame(item.frame);
      else if (item.type === 'config') publication.config(item.config);
      else publication.metadata(item.values);
    }
  }
}
