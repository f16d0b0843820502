import { MalformedMedia, MessageOrder } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { IdleTimeout, type Log } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import { PublishedTracks } from '../../../hub/tracks/published-tracks.ts';
import type { MirroredStream } from '../../../workers/worker/mirrored-streams.ts';
import type { RemoteAdmission, RemoteApplicant, RemotePublisher } from '../../../workers/worker/remote-admission.ts';
import type { SrtCaller } from './callers/srt-caller.ts';
import { CongestionDetector } from './congestion-detector.ts';
import type { SrtFacts } from './libsrt/srt-facts.ts';
import type { SrtSocket, SrtSocketOwner } from './libsrt/srt-socket.ts';
import type { SrtFanOut } from './srt-fan-out.ts';
import { SrtViewer } from './srt-viewer.ts';

interface Options {
  readonly admitted: RemotePublisher;
  /** Time without a message after which a publisher is gone, even if its SRT library still answers. */
  readonly idleMs: number;
  /** True if libsrt delivers in order and gives up late packets. */
  readonly isTimed: boolean;
  readonly end: (reason: string) => void;
}

/** A message is up to so many packets of MPEG-TS. */
const packetsPerMessage = 7;

/** A caller that was allowed to publish: MPEG-TS in, frames out. */
class SrtPublisher implements SrtSocketOwner {
  readonly #options: Options;
  readonly #demuxer = new MpegTsDemuxer({ keepsCutVideo: true, readsTracks: true });
  readonly #tracks: PublishedTracks;
  readonly #order: MessageOrder;
  readonly #idle: IdleTimeout;

  constructor(options: Options) {
    this.#options = options;
    this.#tracks = new PublishedTracks(options.admitted.publication);
    this.#order = new MessageOrder({
      waits: !options.isTimed,
      onMessage: (message) => this.#publishMedia(this.#demuxer.push(message)),
      onHole: (messages) => this.#publishMedia(this.#demuxer.lose(messages * packetsPerMessage)),
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

  /** Called exactly once at the end. */
  leave(reason: string): void {
    this.#idle.end();
    try {
      this.#publishMedia(this.#demuxer.flush());
    } catch {
      // Cutting off the end costs only the last frame.
    }
    this.#options.admitted.leave(reason);
  }

  #publishMedia(items: ReturnType<MpegTsDemuxer['push']>): void {
    for (const item of items) this.#tracks.push(item, item.track ?? 0);
  }
}

/** Publishers send media many times a second. */
const silentAfterMs = 1500;
/** A peer that is there confirms what it gets within a round trip. */
const answerMs = 1000;

export interface SrtContext {
  readonly admission: RemoteAdmission;
  readonly fanOutOf: (stream: MirroredStream) => SrtFanOut;
  readonly publisherIdleMs: number;
  readonly log: Log;
}

/** Connection of an accepted caller, until it closes. */
export class SrtConnection {
  readonly #context: SrtContext;
  readonly #socket: SrtSocket;
  readonly #onClosed: () => void;
  #role: SrtPublisher | SrtViewer | undefined;
  #isClosed = false;
  #onGone: (() => void) | undefined;
  #client: number | undefined;
  readonly #line = new CongestionDetector();

  constructor(socket: SrtSocket, context: SrtContext, onClosed: () => void) {
    this.#context = context;
    this.#socket = socket;
    this.#onClosed = onClosed;
    socket.own({
      onMessage: () => undefined,
      onWritable: () => undefined,
      onGone: (reason) => this.close(reason),
    });
  }

  /** True for a publisher that has been silent for a while: its line may be down or its address changed. */
  get isSilentPublisher(): boolean {
    return this.#role instanceof SrtPublisher && this.#socket.silentMs > silentAfterMs;
  }

  /**
   * Media stays in libsrt until the control plane has decided. `rival` publishes the same stream and has been silent;
   * it is replaced if it does not answer and the control plane allows this one.
   */
  async begin({ wants, place, param }: SrtCaller, rival?: SrtConnection): Promise<void> {
    const { address } = this.#socket;
    const replaces = await rival?.numberIfGone();
    if (this.#isClosed) return;
    const applicant: RemoteApplicant = {
      asks: { kind: wants === 'publish' ? 'srt-publish' : 'srt-play', address, place, param, replaces },
      kick: (reason) => this.close(reason),
      isGone: () => this.#isClosed,
      onGone: (then) => {
        this.#onGone = then;
      },
      facts: () => this.#readFacts(),
    };
    try {
      if (wants === 'publish') await this.#publish(applicant);
      else await this.#play(applicant);
    } catch (error) {
      this.close(errorMessage(error));
    }
  }

  close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onGone?.();
    this.#role?.leave(reason);
    void this.#socket.close();
    this.#context.log.debug({ address: this.#socket.address, reason }, 'srt connection closed');
    this.#onClosed();
  }

  #readFacts(): SrtFacts | undefined {
    const facts = this.#socket.facts();
    const isTimed = this.#socket.latencyMs > 0;
    if (facts && isTimed && this.#line.update(facts)) this.#socket.reportLossAtOnce(!this.#line.isCrowded);
    return facts;
  }

  /** Number in messages to the engine; undefined before it is accepted. */
  async numberIfGone(): Promise<number | undefined> {
    return (await this.#socket.answers(answerMs)) ? undefined : this.#client;
  }

  async #publish(applicant: RemoteApplicant): Promise<void> {
    const admitted = await this.#context.admission.publish(applicant);
    const end = (reason: string) => this.close(reason);
    const isTimed = this.#socket.latencyMs > 0;
    const publisher = new SrtPublisher({ admitted, idleMs: this.#context.publisherIdleMs, isTimed, end });
    this.#role = publisher;
    this.#client = admitted.client;
    this.#socket.own(publisher);
    this.#socket.read();
  }

  async #play(applicant: RemoteApplicant): Promise<void> {
    const admitted = await this.#context.admission.play(applicant);
    const end = (reason: string) => this.close(reason);
    const viewer = new SrtViewer({ admitted, socket: this.#socket, end });
    this.#role = viewer;
    this.#socket.own(viewer);
    this.#socket.read();
    viewer.join(this.#context.fanOutOf(admitted.stream));
  }
}
