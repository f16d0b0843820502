import { type Config, isRtcTestTicket, rtcTestParameter } from '@weir/plane';
import type { AskedStream } from '@weir/streams';
import { type Caller, CallerReader, isHost } from '../../../http/caller.ts';
import { badRequest, broken, down, type Failure, wrongMethod } from '../../../http/failures.ts';
import type { HttpRequest, HttpResponse } from '../../../http/messages.ts';
import type { Reply } from '../../../http/reply.ts';
import { siteOf } from '../../site-of.ts';
import type { RtcSession } from '../rtc-session.ts';
import type { RtcWorkerPool } from '../rtc-worker-pool.ts';
import { type Answered, type ClientOffer, type OffersOptions, WebRtcOffers } from '../webrtc-offers.ts';
import { Candidates } from './candidates.ts';
import { RequestFailed, readBody } from './request-body.ts';
import {
  parseSignalingCall,
  readJsonAsk,
  readQualityAsk,
  type SignalingCall,
  streamOfQuery,
} from './signaling-request.ts';

export interface SignalingOptions extends OffersOptions {
  readonly config: Pick<Config, 'candidate' | 'nameLookup' | 'inDocker' | 'rtc' | 'trustedProxies'>;
  /** Key of the tickets for connection tests. */
  readonly ownToken?: string;
}

/** An offer of a browser with everything it can has some 10 KB. */
const maxBodyBytes = 64 * 1024;
const bodyWithinMs = 5000;

const noStream: Failure = badRequest('the query must name a stream: ?app=live&stream=NAME');
const noTicket: Failure = { status: 401, code: 2001, message: 'this call needs a ticket of the console' };
const noSession: Failure = { status: 404, code: 1003, message: 'there is no such session' };
const wrongType: Failure = { status: 415, code: 1004, message: 'the body must be an SDP offer (application/sdp)' };
/** Content types that programs and browsers send by default. */
const untold = ['', 'text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded'];
const noQuality: Failure = badRequest(
  'the body must be {"quality": "480p"} of a session that plays, or with null for automatic',
);
const noRestart: Failure = { status: 422, code: 1004, message: 'ICE restarts are not supported: start a new session' };

/** Requests below `/rtc/v1/`: publish by WHIP, play by WHEP, and SRS's older calls. */
export class Signaling {
  readonly #options: SignalingOptions;
  readonly #lines: RtcWorkerPool;
  readonly #offers: WebRtcOffers;
  readonly #callers: CallerReader;
  readonly #candidates: Candidates;
  #isClosed = false;

  constructor(options: SignalingOptions, lines: RtcWorkerPool) {
    this.#options = options;
    this.#lines = lines;
    this.#offers = new WebRtcOffers(lines, options);
    this.#callers = new CallerReader(options.config.trustedProxies);
    this.#candidates = new Candidates(options.config);
  }

  /** Refuses new sessions from now on. */
  close(): void {
    this.#isClosed = true;
  }

  readonly serve = (req: HttpRequest, res: HttpResponse, reply: Reply): void => {
    this.#serve(req, res, reply).catch((error: unknown) => {
      if (!(error instanceof RequestFailed)) this.#options.log.error({ err: error }, 'rtc request failed');
      if (res.headersSent || res.destroyed) return;
      reply.fail(res, error instanceof RequestFailed ? error.failure : broken);
    });
  };

  async #serve(req: HttpRequest, res: HttpResponse, reply: Reply): Promise<void> {
    const [path = '', query = ''] = splitOnce(req.url ?? '', '?');
    const call = parseSignalingCall(path);
    if (!call) throw new RequestFailed({ status: 404, code: 1003, message: 'there is no such call' });
    const isResource = new URLSearchParams(query).get('action') === 'delete';
    if (req.method === 'POST' && !isResource && call === 'test') await this.#test(query, req, res, reply);
    else if (req.method === 'POST' && !isResource && call !== 'test') await this.#offer(call, query, req, res, reply);
    else if (req.method === 'DELETE' || (req.method === 'POST' && isResource)) await this.#delete(query, res, reply);
    else if (req.method === 'PATCH') await this.#change(query, req, res, reply);
    else throw new RequestFailed(wrongMethod);
  }

  async #offer(
    call: Exclude<SignalingCall, 'test'>,
    query: string,
    req: HttpRequest,
    res: HttpResponse,
    reply: Reply,
  ): Promise<void> {
    const isJson = call === 'publish' || call === 'play';
    const isPublish = call === 'whip' || call === 'publish';
    if (!isJson && !isOfType(req, 'application/sdp')) throw new RequestFailed(wrongType);
    const named = isJson ? undefined : streamOfQuery(query);
    if (!isJson && !named) throw new RequestFailed(noStream);
    const body = await readBody(req, maxBodyBytes, bodyWithinMs);
    const asked = isJson ? readJsonAsk(body, isPublish) : named && { ...named, sdp: body };
    if (!asked)
      throw new RequestFailed(badRequest('the body must contain streamurl (webrtc://host/app/stream) and sdp'));
    if (this.#isClosed) throw new RequestFailed(down);
    const offer = await this.#describeOffer(asked, query, req, res);
    const answered = await (isPublish ? this.#offers.publish(offer) : this.#offers.play(offer));
    if (isJson) answerJson(res, reply, answered);
    else answerSdp(res, reply, { call, asked, answered });
  }

  async #test(query: string, req: HttpRequest, res: HttpResponse, reply: Reply): Promise<void> {
    const values = new URLSearchParams(query);
    const { ownToken = '' } = this.#options;
    if (!isRtcTestTicket(values.get(rtcTestParameter) ?? '', ownToken, Date.now())) throw new RequestFailed(noTicket);
    const sdp = await readBody(req, maxBodyBytes, bodyWithinMs);
    if (this.#isClosed) throw new RequestFailed(down);
    const caller = this.#callers.read(req);
    const addresses = await this.#candidates.of({ eip: '', host: realHost(req, caller) });
    const answered = await this.#offers.test({ sdp, address: caller.address, addresses });
    answerSdp(res, reply, { call: 'test', asked: { place: { vhost: '', app: '', name: '' }, param: '' }, answered });
  }

  async #describeOffer(
    asked: AskedStream & { readonly sdp: string },
    query: string,
    req: HttpRequest,
    res: HttpResponse,
  ): Promise<ClientOffer> {
    const caller = this.#callers.read(req);
    const eip = new URLSearchParams(query).get('eip') ?? new URLSearchParams(asked.param).get('eip') ?? '';
    const host = realHost(req, caller);
    const addresses = await this.#candidates.of({ eip, host });
    return {
      ...asked,
      address: caller.address,
      host,
      pageUrl: String(req.headers.referer ?? '').slice(0, 512),
      site: siteOf({ header: (name) => [req.headers[name]].flat()[0] }),
      addresses,
      isGone: () => res.destroyed,
      onGone: (then) => res.once('close', then),
    };
  }

  async #delete(query: string, res: HttpResponse, reply: Reply): Promise<void> {
    const session = this.#find(query);
    session.close('ended by the client');
    // A new publication right after this finds the name free.
    await session.ended;
    reply.head(res, 200, ['Content-Length', '0']);
    res.end();
  }

  #change(query: string, req: HttpRequest, res: HttpResponse, reply: Reply): Promise<void> {
    const change = typeOf(req) === 'application/json' ? this.#chooseQuality : this.#trickle;
    return change.call(this, query, req, res, reply);
  }

  /** A viewer's choice of quality, without a new session. */
  async #chooseQuality(query: string, req: HttpRequest, res: HttpResponse, reply: Reply): Promise<void> {
    const session = this.#find(query);
    const quality = readQualityAsk(await readBody(req, maxBodyBytes, bodyWithinMs));
    if (!session.onQuality || quality === undefined) throw new RequestFailed(noQuality);
    session.onQuality(quality === '' ? undefined : quality);
    reply.head(res, 204, []);
    res.end();
  }

  /**
   * Trickled candidates (RFC 9725, 4.4). They are accepted and ignored, because checks are answered from any address. New credentials
   * would be an ICE restart, which is not supported.
   */
  async #trickle(query: string, req: HttpRequest, res: HttpResponse, reply: Reply): Promise<void> {
    if (!isOfType(req, 'application/trickle-ice-sdpfrag'))
      throw new RequestFailed({ ...wrongType, message: 'the body must be application/trickle-ice-sdpfrag' });
    const session = this.#find(query);
    const body = await readBody(req, maxBodyBytes, bodyWithinMs);
    const ufrag = /^a=ice-ufrag:(\S+)/m.exec(body)?.[1];
    if (ufrag !== undefined && ufrag !== session.iceUfrag) throw new RequestFailed(noRestart);
    reply.head(res, 204, []);
    res.end();
  }

  #find(query: string): RtcSession {
    const values = new URLSearchParams(query);
    const session = this.#lines.find(values.get('session') ?? '', values.get('token') ?? '');
    if (!session) throw new RequestFailed(noSession);
    return session;
  }
}

function typeOf(req: HttpRequest): string {
  return (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** True if the body has this type or a meaningless default. */
function isOfType(req: HttpRequest, type: string): boolean {
  const given = typeOf(req);
  return given === type || untold.includes(given);
}

/** A believed proxy may tell the host that the browser asked for. */
function realHost(req: HttpRequest, { host, isPeerTrusted }: Caller): string {
  const real = req.headers['x-real-host'];
  return isPeerTrusted && typeof real === 'string' && isHost(real) ? real : host;
}

function answerSdp(
  res: HttpResponse,
  reply: Reply,
  { call, asked, answered }: { call: SignalingCall; asked: AskedStream; answered: Answered },
): void {
  const { app, name } = asked.place;
  const { token, sessionId: session, sdp, qualities = [] } = answered;
  const query = new URLSearchParams({ action: 'delete', token, app, stream: name, session });
  reply.head(res, 201, [
    'Content-Type',
    'application/sdp',
    'Content-Length',
    String(Buffer.byteLength(sdp)),
    'Location',
    `/rtc/v1/${call}/?${query}`,
    'Cache-Control',
    'no-store',
    ...(qualities.length > 0 ? ['Weir-Qualities', qualities.join(', ')] : []),
  ]);
  res.end(sdp);
}

function answerJson(res: HttpResponse, reply: Reply, { sdp, sessionId, token }: Answered): void {
  const body = JSON.stringify({ code: 0, server: 'weir', sdp, sessionid: sessionId, token });
  reply.head(res, 200, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Cache-Control',
    'no-store',
  ]);
  res.end(body);
}

function splitOnce(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
