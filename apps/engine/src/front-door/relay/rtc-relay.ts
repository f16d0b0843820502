import type { AskedStream, StreamPlace } from '@weir/streams';
import { CallerReader } from '../../http/caller.ts';
import { badRequest, type Failure, notPublished, wrongMethod } from '../../http/failures.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import type { Reply } from '../../http/reply.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { RequestFailed, readBody } from '../../servers/webrtc/signaling/request-body.ts';
import {
  parseSignalingCall,
  readJsonAsk,
  type SignalingCall,
  streamOfQuery,
} from '../../servers/webrtc/signaling/signaling-request.ts';
import { findOrigin, type RelayOrigin } from './relay-origin.ts';
import { ClosedUnanswered, mediaServerDown, passedHeaders, readWhole } from './upstream.ts';

const maxBodyBytes = 64 * 1024;
const bodyWithinMs = 10_000;

const noCall: Failure = { status: 404, code: 1003, message: 'there is no such call' };
const noStream = badRequest('the request must name a stream');
const noSession: Failure = { status: 404, code: 1003, message: 'there is no such session' };
const refused: Failure = {
  status: 403,
  code: 3000,
  message:
    'the media server rejected the request: check the stream key, and whether the stream is already being published',
};

interface Options {
  readonly origins: readonly RelayOrigin[];
  readonly trustedProxies: readonly string[];
  /** Host at which clients reach the media server; empty for the host of the request. */
  readonly mediaHost: string;
  /** WebRTC port. */
  readonly port: { readonly listens: number; readonly published: number };
  /** Throws Refused. SRS opens a session before it asks Weir, and after a refusal keeps the name busy for half a minute. */
  readonly mayPublish: (asked: AskedStream & { readonly address: string }) => Promise<void>;
}

/** Passes the offers of WebRTC clients on to another media server; the media itself goes between those two. */
export class RtcRelay {
  readonly #options: Options;
  readonly #callers: CallerReader;

  constructor(options: Options) {
    this.#options = options;
    this.#callers = new CallerReader(options.trustedProxies);
  }

  readonly serve = (req: HttpRequest, res: HttpResponse, reply: Reply): void => {
    this.#pass(req, res, reply).catch((error: unknown) => {
      if (res.destroyed) return;
      // After half a body the connection cannot carry another request.
      res.shouldKeepAlive = false;
      if (res.headersSent) res.destroy();
      else reply.fail(res, failureOf(error, req.method));
    });
  };

  async #pass(req: HttpRequest, res: HttpResponse, reply: Reply): Promise<void> {
    const { method = '', url = '/' } = req;
    const [path = '', ...queries] = url.split('?');
    const call = parseSignalingCall(path);
    if (!call) throw new RequestFailed(noCall);
    // SRS takes anything but DELETE for an offer, candidates that come later included.
    if (method !== 'POST' && method !== 'DELETE') throw new RequestFailed(wrongMethod);
    const body = Buffer.from(await readBody(req, maxBodyBytes, bodyWithinMs));
    const { address, host } = this.#callers.read(req);
    const left = new AbortController();
    res.once('close', () => left.abort());
    const query = queries.join('?');
    const isOffer = method === 'POST' && new URLSearchParams(query).get('action') !== 'delete';
    const asked = readRequestedStream(call, query, body);
    if (!asked) throw new RequestFailed(noStream);
    const isPlay = call === 'whep' || call === 'play';
    if (isOffer && !isPlay) await this.#options.mayPublish({ ...asked, address });
    const origin = await this.#originOf(asked.place, isOffer && isPlay);
    const answer = await origin.api.request(
      {
        // SRS redirects paths without the last slash.
        method: isOffer ? method : 'DELETE',
        path: `/rtc/v1/${call}/${query === '' ? '' : `?${query}`}`,
        body,
        // The host is what SRS tells clients to send media to.
        headers: {
          host: this.#options.mediaHost || host,
          'x-forwarded-for': address,
          'x-real-ip': address,
          'content-type': req.headers['content-type'] ?? 'application/sdp',
          'content-length': String(body.length),
        },
      },
      left.signal,
    );
    const told = this.#withPublishedPort(await readWhole(answer, maxBodyBytes));
    const headers = [...passedHeaders(answer, ['content-length']), 'content-length', String(told.length)];
    reply.page(res, answer.statusCode ?? 502, { headers, body: told });
  }

  /** SRS names the port that it listens on, also where clients reach it at another one. Text in JSON has the same form. */
  #withPublishedPort(answer: Buffer): Buffer {
    const { listens, published } = this.#options.port;
    if (listens === published) return answer;
    const candidate = new RegExp(`(a=candidate:\\S+ \\d+ udp \\d+ \\S+) ${listens} typ `, 'gi');
    return Buffer.from(answer.toString('utf8').replace(candidate, `$1 ${published} typ `));
  }

  /** Viewers are sent to the origin of the stream, publishers to the first. */
  async #originOf(place: StreamPlace, isPlay: boolean): Promise<RelayOrigin> {
    const [first] = this.#options.origins;
    const isNeeded = isPlay || this.#options.origins.length > 1;
    const holder = isNeeded ? await findOrigin(this.#options.origins, `/${place.app}/${place.name}`) : undefined;
    if (isPlay && !holder) throw new RequestFailed(notPublished);
    const origin = holder ?? first;
    if (!origin) throw new RequestFailed(mediaServerDown);
    return origin;
  }
}

function readRequestedStream(call: SignalingCall, query: string, body: Buffer): AskedStream | undefined {
  return call === 'whip' || call === 'whep' ? streamOfQuery(query) : readJsonAsk(body.toString('utf8'), false);
}

/** SRS closes the connection of a client that it refuses. */
function failureOf(error: unknown, method: string | undefined): Failure {
  if (error instanceof RequestFailed) return error.failure;
  if (error instanceof Refused) return { ...refused, message: error.message };
  if (!(error instanceof ClosedUnanswered)) return mediaServerDown;
  return method === 'DELETE' ? noSession : refused;
}
