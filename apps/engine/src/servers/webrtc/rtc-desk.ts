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
import { RtcPeer } from './rtc-peer.ts';
import type { OpenRtcPort } from './rtc-port.ts';
import { RtcPublisher } from './rtc-publisher.ts';
import type { MediaEnd, RtcSession } from './rtc-session.ts';
import { RtcSessions } from './rtc-sessions.ts';
import { RtcViewer } from './rtc-viewer.ts';
import { agreeToReceive, agreeToSend, readOffer } from './signaling/negotiation.ts';
import { RequestFailed } from './signaling/request-body.ts';

export interface DeskOptions {
  readonly hub: Hub;
  readonly admission: Admission;
  /** The stream as browsers can play it. */
  readonly viewOf: (stream: Stream) => StreamView;
  readonly log: Log;
}

/** Somebody at the desk with an offer. */
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
  readonly session: RtcSession;
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
export class RtcDesk {
  readonly sessions: RtcSessions;
  readonly #options: DeskOptions;
  readonly #port: OpenRtcPort;
  readonly #packagers = new Map<Stream, RtpPackager>();
  /** Publishers by WebRTC, who can be asked for a keyframe, by the key of their stream. */
  readonly #publishers = new Map<string, RtcPublisher>();

  constructor(port: OpenRtcPort, options: DeskOptions) {
    this.#port = port;
    this.#options = options;
    this.sessions = new RtcSessions(options.log);
  }

  publish(ask: Ask): Promise<Answered> {
    const offer = readOffer(ask.sdp);
    const { media, video, audio } = agreeToReceive(offer);
    const key = streamKey(ask.place);
    const admit = async ({ session, applicant, send }: Opening): Promise<MediaEnd> => {
      const { entry, publication, leave } = await this.#options.admission.publish(applicant);
      const onFault = (error: unknown) => this.#onFault(session, error);
      const { counters } = entry;
      const publisher = orLeave(
        () => leave('internal error'),
        () => new RtcPublisher({ publication, counters, send, video, audio, cname: session.id, onFault }),
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
    const admit = async ({ session, applicant, send }: Opening): Promise<MediaEnd> => {
      const { entry, stream, leave } = await this.#options.admission.play(applicant);
      const viewer = orLeave(leave, () => {
        return new RtcViewer({
          packager: this.#packagerOf(stream),
          send,
          video,
          audio,
          cname: session.id,
          counters: entry.counters,
          bytesOut: stream.stats.bytesOut,
          askKeyframe: () => this.#askKeyframe(key),
          onOver: () => session.close('the stream has ended'),
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
    this.sessions.close();
  }

  async #open(ask: Ask, { role, offer, media, admit }: Plan): Promise<Answered> {
    const opened = this.sessions.open(ask.address, offer.iceUfrag);
    if (!opened) throw new RequestFailed(busy);
    const { session, token } = opened;
    let peer: RtcPeer | undefined;
    const applicant: Applicant = {
      info: infoOf(ask, session.id, role === 'sends' ? 'rtc-play' : 'rtc-publish'),
      kick: (reason) => session.close(reason),
      isGone: () => ask.isGone() || session.isClosed,
      transport: () => session.facts(),
    };
    try {
      const end = await admit({ session, applicant, send: (packet) => peer?.send(packet) ?? false });
      session.begin(end);
      if (session.isClosed) throw new Refused('this session was ended');
      peer = new RtcPeer(this.#port, session.id, offer, role, {
        onReached: () => session.onReached(),
        onOpen: () => session.onOpen(),
        onPacket: (bytes) => session.onPacket(bytes),
        onEnd: (reason) => session.close(reason),
        onFault: (error) => this.#onFault(session, error),
      });
      session.connect(peer);
      const sdp = writeSdpAnswer({ offer, media, ...peer.facts, candidates: ask.candidates, streamId: session.id });
      return { sdp, sessionId: session.id, token };
    } catch (error) {
      session.close('refused');
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
  #onFault(session: RtcSession, error: unknown): void {
    const isMalformed = error instanceof MalformedMedia;
    if (!isMalformed) this.#options.log.error({ err: error, client: session.id }, 'rtc session failed');
    session.close(isMalformed ? `malformed: ${error.message}` : 'internal error');
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
