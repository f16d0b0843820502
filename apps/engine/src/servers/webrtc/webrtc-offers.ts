import { randomInt } from 'node:crypto';
import { type AskedStream, streamKey } from '@weir/dialect';
import { type AnsweredMedia, type SdpOffer, writeSdpAnswer } from '@weir/media/sdp';
import { busy, notPublished } from '../../http/failures.ts';
import type { Admission, Applicant } from '../../hub/clients/admission.ts';
import type { ClientInfo, ClientKind } from '../../hub/clients/client-info.ts';
import { Refused } from '../../hub/clients/gate.ts';
import type { Stream, StreamView } from '../../hub/stream.ts';
import { httpPatienceMs } from '../http-patience.ts';
import type { RtcSessions } from './sessions/rtc-sessions.ts';
import type { WebRtcConnection } from './sessions/webrtc-connection.ts';
import { agreeToReceive, agreeToSend, readOffer } from './signaling/negotiation.ts';
import { RequestFailed } from './signaling/request-body.ts';
import type { TransportFacts } from './transport/rtc-transport.ts';

export interface OffersOptions {
  readonly admission: Admission;
  /** The stream as browsers can play it. */
  readonly viewOf: (stream: Stream) => StreamView;
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

interface Plan {
  readonly kind: ClientKind;
  readonly offer: SdpOffer;
  readonly media: readonly AnsweredMedia[];
  /** Asks for admission, and begins. */
  readonly begin: (connection: WebRtcConnection, applicant: Applicant) => Promise<TransportFacts>;
}

/** Answers offers: negotiates, asks for admission, and has a session begun. */
export class WebRtcOffers {
  readonly #options: OffersOptions;
  readonly #sessions: RtcSessions;

  constructor(sessions: RtcSessions, options: OffersOptions) {
    this.#sessions = sessions;
    this.#options = options;
  }

  publish(ask: Ask): Promise<Answered> {
    const offer = readOffer(ask.sdp);
    const { media, video, audio } = agreeToReceive(offer);
    const begin = async (connection: WebRtcConnection, applicant: Applicant) => {
      const { entry, publication, leave } = await this.#options.admission.publish(applicant);
      const { counters } = entry;
      const place = { peer: offer, key: streamKey(ask.place), counters, onEnd: leave };
      return this.#sessions.publish(connection, { ...place, publication, video, audio });
    };
    return this.#open(ask, { kind: 'rtc-publish', offer, media, begin });
  }

  async play(ask: Ask): Promise<Answered> {
    const offer = readOffer(ask.sdp);
    // The answer depends on what is published.
    const stream = await this.#options.admission.find(ask, httpPatienceMs);
    if (!stream) throw new RequestFailed(notPublished);
    const known = this.#options.viewOf(stream).video;
    const ssrc = randomInt(1, 2 ** 30) * 2;
    const { media, video, audio } = agreeToSend(offer, {
      // What is not known yet is most likely H.264.
      codec: known?.codec ?? 'h264',
      profile: known?.codec === 'h264' ? known.record[1] : undefined,
      isCertain: known !== undefined,
      ssrcs: { video: ssrc, repair: ssrc + 1, audio: randomInt(2 ** 31, 2 ** 32) },
    });
    const begin = async (connection: WebRtcConnection, applicant: Applicant) => {
      const { entry, stream, leave } = await this.#options.admission.play(applicant);
      const { counters } = entry;
      const place = { peer: offer, key: streamKey(ask.place), counters, onEnd: leave };
      const { bytesOut } = stream.stats;
      return this.#sessions.play(connection, { ...place, view: this.#options.viewOf(stream), bytesOut, video, audio });
    };
    return this.#open(ask, { kind: 'rtc-play', offer, media, begin });
  }

  async #open(ask: Ask, { kind, offer, media, begin }: Plan): Promise<Answered> {
    const reserved = this.#sessions.reserve(ask.address, offer.iceUfrag);
    if (!reserved) throw new RequestFailed(busy);
    const { connection, token } = reserved;
    const applicant: Applicant = {
      info: infoOf(ask, connection.id, kind),
      kick: (reason) => connection.close(reason),
      isGone: () => ask.isGone() || connection.isClosed,
      transport: () => connection.facts(),
    };
    try {
      const facts = await begin(connection, applicant);
      if (connection.isClosed) throw new Refused('this session was ended');
      const { candidates } = ask;
      const sdp = writeSdpAnswer({ offer, media, ...facts, candidates, streamId: connection.id });
      return { sdp, sessionId: connection.id, token };
    } catch (error) {
      connection.close('refused');
      if (error instanceof Refused) throw new RequestFailed({ status: 403, code: 3000, message: error.message });
      throw error;
    }
  }
}

function infoOf({ place, param, address, host, pageUrl }: Ask, id: string, kind: ClientKind): ClientInfo {
  const tcUrl = `webrtc://${host}/${place.app}`;
  return { id, kind, address, place, param, tcUrl, pageUrl, connectedAt: new Date() };
}
