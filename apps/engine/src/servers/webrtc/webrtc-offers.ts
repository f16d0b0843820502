import { randomInt } from 'node:crypto';
import { type AskedStream, streamKey } from '@weir/dialect';
import { MalformedMedia } from '@weir/media';
import { type AnsweredMedia, type SdpOffer, writeSdpAnswer } from '@weir/media/sdp';
import type { Log } from '@weir/plane';
import { busy, notPublished } from '../../http/failures.ts';
import type { Admission, Applicant } from '../../hub/clients/admission.ts';
import type { ClientInfo, ClientKind } from '../../hub/clients/client-info.ts';
import { Refused } from '../../hub/clients/gate.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Stream, StreamView } from '../../hub/stream.ts';
import { RtpPackager } from '../../packagers/rtp/rtp-packager.ts';
import { httpPatienceMs } from '../http-patience.ts';
import { agreeToReceive, agreeToSend, readOffer } from './signaling/negotiation.ts';
import { RequestFailed } from './signaling/request-body.ts';
import type { MediaEnd, WebRtcConnection } from './webrtc-connection.ts';
import { WebRtcConnections } from './webrtc-connections.ts';
import type { OpenWebRtcPort } from './webrtc-port.ts';
import { WebRtcPublisher } from './webrtc-publisher.ts';
import { WebRtcTransport } from './webrtc-transport.ts';
import { WebRtcViewer } from './webrtc-viewer.ts';

export interface OffersOptions {
  readonly hub: Hub;
  readonly admission: Admission;
  /** The stream as browsers can play it. */
  readonly viewOf: (stream: Stream) => StreamView;
  readonly log: Log;
}

/** Somebody who comes with an offer. */
export interface Ask extends AskedStream {
  readonly sdp: string;
  readonly address: string;
  readonly host: string;
  readonly pageUrl: string;
  readonly candidates: readonly { readonly address: string; readonly port: number }[];
  readonly isGone: () => boolean;
  readonly onGone?: (then: () => void) => void;
}

export interface Answered {
  readonly sdp: string;
  readonly sessionId: string;
  readonly token: string;
}

/** How a session that is about to open learns of itself. */
interface Opening {
  readonly connection: WebRtcConnection;
  readonly applicant: Applicant;
  readonly send: (packet: Buffer) => boolean;
}

interface Plan {
  readonly role: 'sends' | 'receives';
  readonly offer: SdpOffer;
  readonly media: readonly AnsweredMedia[];
  /** Asks for admission; what it returns is ended once. */
  readonly admit: (opening: Opening) => Promise<MediaEnd>;
}

/** Answers offers: admits, negotiates, and joins transports with what is sent or received over them. */
export class WebRtcOffers {
  readonly connections: WebRtcConnections;
  readonly #options: OffersOptions;
  readonly #port: OpenWebRtcPort;
  readonly #packagers = new Map<Stream, RtpPackager>();
  /** Publishers by WebRTC, who can be asked for a keyframe, by the key of their stream. */
  readonly #publishers = new Map<string, WebRtcPublisher>();

  constructor(port: OpenWebRtcPort, options: OffersOptions) {
    this.#port = port;
    this.#options = options;
    this.connections = new WebRtcConnections(options.log);
  }

  publish(ask: Ask): Promise<Answered> {
    const offer = readOffer(ask.sdp);
    const { media, video, audio } = agreeToReceive(offer);
    const key = streamKey(ask.place);
    const admit = async ({ connection, applicant, send }: Opening): Promise<MediaEnd> => {
      const { entry, publication, leave } = await this.#options.admission.publish(applicant);
      const onFault = (error: unknown) => this.#onFault(connection, error);
      const { counters } = entry;
      const publisher = orLeave(
        () => leave('internal error'),
        () => new WebRtcPublisher({ publication, counters, send, video, audio, cname: connection.id, onFault }),
      );
      this.#publishers.set(key, publisher);
      return {
        onOpen: () => undefined,
        onPacket: (bytes, nowMs) => publisher.onPacket(bytes, nowMs),
        tick: (nowMs) => publisher.tick(nowMs),
        facts: () => publisher.facts,
        onEnd: (reason) => {
          publisher.stop();
          if (this.#publishers.get(key) === publisher) this.#publishers.delete(key);
          leave(reason);
        },
      };
    };
    return this.#open(ask, { role: 'receives', offer, media, admit });
  }

  async play(ask: Ask): Promise<Answered> {
    const offer = readOffer(ask.sdp);
    // The answer depends on what is published.
    const stream = await this.#options.admission.find(ask, httpPatienceMs);
    if (!stream) throw new RequestFailed(notPublished);
    const known = this.#options.viewOf(stream).video;
    const { media, video, audio } = agreeToSend(offer, {
      // What is not known yet is most likely H.264.
      codec: known?.codec ?? 'h264',
      profile: known?.codec === 'h264' ? known.record[1] : undefined,
      isCertain: known !== undefined,
      ssrcs: { video: randomInt(1, 2 ** 31), audio: randomInt(2 ** 31, 2 ** 32) },
    });
    const key = streamKey(ask.place);
    const admit = async ({ connection, applicant, send }: Opening): Promise<MediaEnd> => {
      const { entry, stream, leave } = await this.#options.admission.play(applicant);
      const viewer = orLeave(leave, () => {
        return new WebRtcViewer({
          packager: this.#packagerOf(stream),
          send,
          video,
          audio,
          cname: connection.id,
          counters: entry.counters,
          bytesOut: stream.stats.bytesOut,
          askKeyframe: () => this.#askKeyframe(key),
          onOver: () => connection.close('the stream has ended'),
        });
      });
      return {
        onOpen: () => viewer.start(),
        onPacket: (bytes, nowMs) => viewer.onPacket(bytes, nowMs),
        tick: (nowMs) => viewer.tick(nowMs),
        facts: () => viewer.facts,
        onEnd: () => {
          viewer.stop();
          leave();
        },
      };
    };
    return this.#open(ask, { role: 'sends', offer, media, admit });
  }

  close(): void {
    this.connections.close();
  }

  async #open(ask: Ask, { role, offer, media, admit }: Plan): Promise<Answered> {
    const opened = this.connections.open(ask.address, offer.iceUfrag);
    if (!opened) throw new RequestFailed(busy);
    const { connection, token } = opened;
    let transport: WebRtcTransport | undefined;
    const applicant: Applicant = {
      info: infoOf(ask, connection.id, role === 'sends' ? 'rtc-play' : 'rtc-publish'),
      kick: (reason) => connection.close(reason),
      isGone: () => ask.isGone() || connection.isClosed,
      transport: () => connection.facts(),
    };
    try {
      const end = await admit({ connection, applicant, send: (packet) => transport?.send(packet) ?? false });
      connection.begin(end);
      if (connection.isClosed) throw new Refused('this session was ended');
      transport = new WebRtcTransport(this.#port, connection.id, offer, role, {
        onReached: () => connection.onReached(),
        onOpen: () => connection.onOpen(),
        onPacket: (bytes) => connection.onPacket(bytes),
        onEnd: (reason) => connection.close(reason),
        onFault: (error) => this.#onFault(connection, error),
      });
      connection.connect(transport);
      const sdp = writeSdpAnswer({
        offer,
        media,
        ...transport.facts,
        candidates: ask.candidates,
        streamId: connection.id,
      });
      return { sdp, sessionId: connection.id, token };
    } catch (error) {
      connection.close('refused');
      if (error instanceof Refused) throw new RequestFailed({ status: 403, code: 3000, message: error.message });
      throw error;
    }
  }

  /** False when its publisher does not speak WebRTC. */
  #askKeyframe(key: string): boolean {
    const publisher = this.#publishers.get(key);
    publisher?.askKeyframe(performance.now());
    return publisher !== undefined;
  }

  /** One for all viewers of a stream, there while it has some. */
  #packagerOf(stream: Stream): RtpPackager {
    const existing = this.#packagers.get(stream);
    if (existing) return existing;
    const created = new RtpPackager(this.#options.viewOf(stream), () => this.#packagers.delete(stream));
    this.#packagers.set(stream, created);
    return created;
  }

  /** What one peer sends costs that peer its connection, and nobody else. */
  #onFault(connection: WebRtcConnection, error: unknown): void {
    const isMalformed = error instanceof MalformedMedia;
    if (!isMalformed) this.#options.log.error({ err: error, client: connection.id }, 'rtc connection failed');
    connection.close(isMalformed ? `malformed: ${error.message}` : 'internal error');
  }
}

/** Whoever was let in and cannot be served is told of as gone, not as there for ever. */
function orLeave<T>(leave: () => void, make: () => T): T {
  try {
    return make();
  } catch (error) {
    leave();
    throw error;
  }
}

function infoOf({ place, param, address, host, pageUrl }: Ask, id: string, kind: ClientKind): ClientInfo {
  const tcUrl = `webrtc://${host}/${place.app}`;
  return { id, kind, address, place, param, tcUrl, pageUrl, connectedAt: new Date() };
}
