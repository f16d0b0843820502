import { randomInt } from 'node:crypto';
import { MalformedMedia } from '@weir/media';
import {
  type AnsweredMedia,
  chooseOpus,
  chooseToReceive,
  chooseToSend,
  type OfferedMedia,
  parseSdpOffer,
  type SdpOffer,
  writeSdpAnswer,
} from '@weir/media/sdp';
import type { Log } from '@weir/plane';
import { badRequest, busy, type Failure, notPublished } from '../../front-door/failures.ts';
import type { Admission, Applicant } from '../../hub/admission.ts';
import type { ClientInfo, ClientKind } from '../../hub/client-info.ts';
import { Refused } from '../../hub/gate.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Stream, StreamView } from '../../hub/stream.ts';
import type { AskedStream } from '../../hub/stream-address.ts';
import { RequestFailed } from './request-body.ts';
import { RtcPeer } from './rtc-peer.ts';
import type { OpenRtcPort } from './rtc-port.ts';
import { RtcPublisher } from './rtc-publisher.ts';
import type { MediaEnd, RtcSession } from './rtc-session.ts';
import { RtcSessions } from './rtc-sessions.ts';
import { RtcViewer } from './rtc-viewer.ts';
import { RtpPackager } from './rtp-packager.ts';

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
}

export interface Answered {
  readonly sdp: string;
  readonly sessionId: string;
  readonly token: string;
}

interface Negotiated {
  readonly media: readonly AnsweredMedia[];
  readonly end: MediaEnd;
}

const unusable = (message: string): Failure => ({ status: 422, code: 1004, message });
const noVideo = 'no codec of this offer can be used: offer H.264 (or H.265, AV1, VP9), and Opus for sound';

/** Answers offers: admits, negotiates, and joins transports with what is sent or received over them. */
export class RtcDesk {
  readonly sessions: RtcSessions;
  readonly #options: DeskOptions;
  readonly #port: OpenRtcPort;
  readonly #packagers = new Map<Stream, RtpPackager>();
  /** Publishers by WebRTC, who can be asked for a keyframe. */
  readonly #publishers = new Map<string, RtcPublisher>();

  constructor(port: OpenRtcPort, options: DeskOptions) {
    this.#port = port;
    this.#options = options;
    this.sessions = new RtcSessions(options.log);
  }

  async publish(ask: Ask): Promise<Answered> {
    const offer = readOffer(ask.sdp);
    const video = pick(offer, 'video', 'send', (media) => chooseToReceive(media, ['h265', 'av1', 'vp9']));
    const audio = pick(offer, 'audio', 'send', chooseOpus);
    if (!video && !audio) throw new RequestFailed(unusable(noVideo));
    return await this.#open(ask, offer, 'receives', async (session, applicant, send) => {
      const { entry, publication, leave } = await this.#options.admission.publish(applicant);
      const publisher = new RtcPublisher({
        publication,
        counters: entry.counters,
        send,
        video: video && { payloadType: video.chosen.offered.payloadType, codec: video.chosen.codec },
        audio: audio && { payloadType: audio.chosen.payloadType, channels: 2 },
        cname: session.id,
        onFault: (error) => this.#onFault(session, error),
      });
      const key = `${ask.place.vhost}/${ask.place.app}/${ask.place.name}`;
      this.#publishers.set(key, publisher);
      const media = offer.media.map((offered): AnsweredMedia => {
        if (offered === video?.media) return { codec: video.chosen.offered, direction: 'recvonly' };
        if (offered === audio?.media)
          return { codec: audio.chosen, direction: 'recvonly', format: 'minptime=10;stereo=1;useinbandfec=1' };
        return { codec: undefined, direction: 'recvonly' };
      });
      const end: MediaEnd = {
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
      return { media, end };
    });
  }

  async play(ask: Ask): Promise<Answered> {
    const offer = readOffer(ask.sdp);
    const stream = this.#options.hub.find(ask.place);
    if (!stream) throw new RequestFailed(notPublished);
    const view = this.#options.viewOf(stream);
    // What is not known yet is most likely H.264.
    const codec = view.video?.codec ?? 'h264';
    const profile = view.video?.codec === 'h264' ? view.video.record[1] : undefined;
    const video = pick(offer, 'video', 'receive', (media) => chooseToSend(media, codec, profile));
    const audio = pick(offer, 'audio', 'receive', chooseOpus);
    if (!video && !audio) throw new RequestFailed(unusable(noVideo));
    if (!video && view.video && offer.media.some(({ kind }) => kind === 'video'))
      throw new RequestFailed(
        unusable(
          `this browser does not offer to receive ${codec.toUpperCase()}, which the stream is: play it by HLS or FLV`,
        ),
      );
    return await this.#open(ask, offer, 'sends', async (session, applicant, send) => {
      const admitted = await this.#options.admission.play(applicant);
      const [videoSsrc, audioSsrc] = [randomInt(1, 2 ** 31), randomInt(2 ** 31, 2 ** 32)];
      const viewer = new RtcViewer({
        packager: this.#packagerOf(admitted.stream),
        send,
        video: video && { payloadType: video.chosen.payloadType, ssrc: videoSsrc },
        audio: audio && { payloadType: audio.chosen.payloadType, ssrc: audioSsrc },
        cname: session.id,
        counters: admitted.entry.counters,
        bytesOut: admitted.stream.stats.bytesOut,
        askKeyframe: () => {
          const { vhost, app, name } = ask.place;
          this.#publishers.get(`${vhost}/${app}/${name}`)?.askKeyframe(performance.now());
        },
        onOver: () => session.close('the stream has ended'),
      });
      const media = offer.media.map((offered): AnsweredMedia => {
        if (offered === video?.media) return { codec: video.chosen, direction: 'sendonly', ssrc: videoSsrc };
        if (offered === audio?.media)
          return {
            codec: audio.chosen,
            direction: 'sendonly',
            ssrc: audioSsrc,
            format: 'minptime=10;sprop-stereo=1;stereo=1;useinbandfec=1',
          };
        return { codec: undefined, direction: 'sendonly' };
      });
      const end: MediaEnd = {
        onOpen: () => viewer.start(),
        onPacket: (bytes, nowMs) => viewer.onPacket(bytes, nowMs),
        tick: (nowMs) => viewer.tick(nowMs),
        facts: () => viewer.facts,
        onEnd: () => {
          viewer.stop();
          admitted.leave();
        },
      };
      return { media, end };
    });
  }

  close(): void {
    this.sessions.close();
  }

  async #open(
    ask: Ask,
    offer: SdpOffer,
    role: 'sends' | 'receives',
    negotiate: (session: RtcSession, applicant: Applicant, send: (packet: Buffer) => boolean) => Promise<Negotiated>,
  ): Promise<Answered> {
    const opened = this.sessions.open(ask.address, offer.iceUfrag);
    if (!opened) throw new RequestFailed(busy);
    const { session, token } = opened;
    let peer: RtcPeer | undefined;
    try {
      const applicant: Applicant = {
        info: infoOf(ask, session.id, role === 'sends' ? 'rtc-play' : 'rtc-publish'),
        kick: (reason) => session.close(reason),
        isGone: () => ask.isGone() || session.isClosed,
        transport: () => session.facts(),
      };
      const { media, end } = await negotiate(session, applicant, (packet) => peer?.send(packet) ?? false);
      try {
        peer = new RtcPeer(this.#port, session.id, offer, role, {
          onOpen: () => session.onOpen(),
          onPacket: (bytes) => session.onPacket(bytes),
          onEnd: (reason) => session.close(reason),
          onFault: (error) => this.#onFault(session, error),
        });
      } catch (error) {
        end.onEnd('no transport');
        throw error;
      }
      session.begin(peer, end);
      const sdp = writeSdpAnswer({ offer, media, ...peer.facts, candidates: ask.candidates, streamId: session.id });
      return { sdp, sessionId: session.id, token };
    } catch (error) {
      session.close('refused');
      if (error instanceof Refused) throw new RequestFailed({ status: 403, code: 3000, message: error.message });
      throw error;
    }
  }

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

function readOffer(text: string): SdpOffer {
  try {
    return parseSdpOffer(text);
  } catch (error) {
    if (error instanceof MalformedMedia) throw new RequestFailed(badRequest(error.message));
    throw error;
  }
}

/** The first media of a kind that goes in the wanted direction and has something to choose. */
function pick<T>(
  offer: SdpOffer,
  kind: 'audio' | 'video',
  wants: 'send' | 'receive',
  choose: (media: OfferedMedia) => T | undefined,
): { readonly media: OfferedMedia; readonly chosen: T } | undefined {
  const directions = ['sendrecv', wants === 'send' ? 'sendonly' : 'recvonly'];
  for (const media of offer.media) {
    if (media.kind !== kind || media.isRejected || !media.hasRtcpMux || !directions.includes(media.direction)) continue;
    const chosen = choose(media);
    if (chosen !== undefined) return { media, chosen };
  }
  return undefined;
}

function infoOf({ place, param, address, host, pageUrl }: Ask, id: string, kind: ClientKind): ClientInfo {
  const tcUrl = `webrtc://${host}/${place.app}`;
  return { id, kind, address, place, param, tcUrl, pageUrl, connectedAt: new Date() };
}
