import { randomInt } from 'node:crypto';
import { type AnsweredMedia, type SdpOffer, writeSdpAnswer } from '@weir/media/sdp';
import type { Log } from '@weir/plane';
import { type AskedStream, readQuality, streamKey } from '@weir/streams';
import { busy, type Failure, notPublished, refusedFailure } from '../../http/failures.ts';
import type { Admission, Applicant } from '../../hub/clients/admission.ts';
import type { ClientInfo, ClientKind } from '../../hub/clients/client-info.ts';
import { Refused } from '../../hub/clients/gate.ts';
import type { Stream, StreamView } from '../../hub/stream.ts';
import { httpSilenceLimitMs } from '../http-silence-limit.ts';
import type { RtcSession } from './rtc-session.ts';
import { WorkerLost } from './rtc-worker-handle.ts';
import type { Reserved, RtcWorkerPool } from './rtc-worker-pool.ts';
import { agreeToReceive, agreeToSend, readOffer } from './signaling/negotiation.ts';
import { RequestFailed } from './signaling/request-body.ts';
import type { TransportFacts } from './transport/rtc-transport.ts';

export interface OffersOptions {
  readonly admission: Admission;
  /** The stream as browsers can play it. */
  readonly viewOf: (stream: Stream) => StreamView;
  readonly log: Log;
}

const unavailable: Failure = {
  status: 503,
  code: 1,
  message: 'WebRTC is not available, see the server log',
};

/** Browser of the administrator that tests whether it reaches the port. */
interface TestOffer {
  readonly sdp: string;
  readonly address: string;
  /** Candidate addresses for the client. */
  readonly addresses: readonly string[];
}

/** Client with an offer. */
export interface ClientOffer extends AskedStream, TestOffer {
  readonly host: string;
  readonly pageUrl: string;
  /** Host of the page, as `siteOf` finds it. */
  readonly site: string;
  readonly isGone: () => boolean;
  readonly onGone?: (then: () => void) => void;
}

export interface Answered {
  readonly sdp: string;
  readonly sessionId: string;
  readonly token: string;
  /** Names of the qualities that the viewer may choose, best first; empty where there is one. */
  readonly qualities?: readonly string[];
}

interface Plan {
  readonly kind: ClientKind;
  readonly offer: SdpOffer;
  readonly media: readonly AnsweredMedia[];
  /** Asks for admission, and begins. */
  readonly begin: (reserved: Reserved, applicant: Applicant) => Promise<TransportFacts>;
}

/** Answers offers: negotiates, asks for admission, and has a session begun in a process that speaks WebRTC. */
export class WebRtcOffers {
  readonly #options: OffersOptions;
  readonly #lines: RtcWorkerPool;

  constructor(lines: RtcWorkerPool, options: OffersOptions) {
    this.#lines = lines;
    this.#options = options;
  }

  publish(caller: ClientOffer): Promise<Answered> {
    const offer = readOffer(caller.sdp);
    const { media, video, audio } = agreeToReceive(offer);
    const begin = async ({ line, session }: Reserved, applicant: Applicant) => {
      const admitted = await this.#options.admission.publish(applicant);
      unlessClosed(session, admitted.leave);
      return line.publish(admitted, { ...beginOf(caller, offer, session), video, audio });
    };
    return this.#open(caller, { kind: 'rtc-publish', offer, media, begin });
  }

  async play(asked: ClientOffer): Promise<Answered> {
    const caller = { ...asked, place: this.#options.admission.resolve(asked.place) };
    const offer = readOffer(caller.sdp);
    // The answer depends on the tracks of the stream.
    const stream = await this.#options.admission.find(caller, httpSilenceLimitMs);
    if (!stream) throw new RequestFailed(notPublished);
    const known = this.#options.viewOf(stream).video;
    const ssrc = randomInt(1, 2 ** 30) * 2;
    const { media, video, audio } = agreeToSend(offer, {
      // An unknown codec is most likely H.264.
      codec: known?.codec ?? 'h264',
      profile: known?.codec === 'h264' ? known.record[1] : undefined,
      isCertain: known !== undefined,
      ssrcs: { video: ssrc, repair: ssrc + 1, audio: randomInt(2 ** 31, 2 ** 32) },
    });
    const begin = async ({ line, session }: Reserved, applicant: Applicant) => {
      const admitted = await this.#options.admission.play(applicant);
      unlessClosed(session, admitted.leave);
      const { qualities } = admitted.stream;
      const choose = (name: string | undefined) =>
        name === undefined ? undefined : (qualities.choose(name)?.name ?? '');
      session.onQuality = (name) => line.chooseQuality(session.client, choose(name));
      const quality = choose(readQuality(caller.param));
      return line.play(admitted, { ...beginOf(caller, offer, session), video, audio, quality });
    };
    const answered = await this.#open(caller, { kind: 'rtc-play', offer, media, begin });
    return { ...answered, qualities: stream.qualities.names };
  }

  /** Opens a session without a stream: no admission, no callback, no media. */
  async test({ sdp: text, address, addresses }: TestOffer): Promise<Answered> {
    const offer = readOffer(text);
    const { media } = agreeToReceive(offer);
    const { line, session, port } = await this.#reserve(address, offer.iceUfrag);
    const { iceUfrag, icePwd, fingerprint, setup } = offer;
    const { client, id: sessionId, token } = session;
    try {
      const facts = await line.test({ client, key: '', peer: { iceUfrag, icePwd, fingerprint, setup } });
      const candidates = addresses.map((candidate) => ({ address: candidate, port }));
      return { sdp: writeSdpAnswer({ offer, media, ...facts, candidates, streamId: sessionId }), sessionId, token };
    } catch (error) {
      session.close('refused');
      throw error instanceof WorkerLost ? new RequestFailed(busy) : error;
    }
  }

  async #open(caller: ClientOffer, { kind, offer, media, begin }: Plan): Promise<Answered> {
    const reserved = await this.#reserve(caller.address, offer.iceUfrag);
    const { line, session, port } = reserved;
    const { id, token, client } = session;
    const applicant: Applicant = {
      info: infoOf(caller, id, kind),
      kick: (reason) => session.close(reason),
      isGone: () => caller.isGone() || session.isClosed,
      transport: (isGlance) => line.factsOf(client, isGlance),
    };
    try {
      const facts = await begin(reserved, applicant);
      if (session.isClosed) throw new Refused('this session was ended');
      const candidates = caller.addresses.map((address) => ({ address, port }));
      const sdp = writeSdpAnswer({ offer, media, ...facts, candidates, streamId: id });
      return { sdp, sessionId: id, token };
    } catch (error) {
      session.close('refused');
      if (error instanceof Refused) throw new RequestFailed(refusedFailure(error));
      throw error instanceof WorkerLost ? new RequestFailed(busy) : error;
    }
  }

  async #reserve(address: string, iceUfrag: string): Promise<Reserved> {
    try {
      const reserved = await this.#lines.reserve(address, iceUfrag);
      if (reserved) return reserved;
    } catch (error) {
      if (error instanceof WorkerLost) throw new RequestFailed(busy);
      this.#options.log.warn({ reason: error instanceof Error ? error.message : error }, 'WebRTC is not available');
      throw new RequestFailed(unavailable);
    }
    throw new RequestFailed(busy);
  }
}

/** A client may end while it is being admitted; then this reports its end to the admission. */
function unlessClosed({ isClosed }: RtcSession, leave: (reason: string) => void): void {
  if (!isClosed) return;
  leave('closed');
  throw new Refused('this session was ended');
}

/** Transport-related part of an offer. */
function beginOf(caller: ClientOffer, { iceUfrag, icePwd, fingerprint, setup }: SdpOffer, { client }: RtcSession) {
  return { client, key: streamKey(caller.place), peer: { iceUfrag, icePwd, fingerprint, setup } };
}

function infoOf({ place, param, address, host, pageUrl, site }: ClientOffer, id: string, kind: ClientKind): ClientInfo {
  const tcUrl = `webrtc://${host}/${place.app}`;
  return { id, kind, address, place, param, tcUrl, pageUrl, site, connectedAt: new Date() };
}
