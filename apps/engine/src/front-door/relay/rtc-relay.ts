import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallerReader } from '../../http/caller.ts';
import { wrongMethod } from '../../http/failures.ts';
import type { Reply } from '../../http/reply.ts';
import { RequestFailed, readBody } from '../../servers/webrtc/signaling/request-body.ts';
import { holderOf, type RelayOrigin } from './relay-origin.ts';
import { mediaServerDown, passedHeaders } from './upstream.ts';

const maxBodyBytes = 64 * 1024;
const bodyWithinMs = 10_000;
const methods = ['POST', 'PATCH', 'DELETE'];

/** Passes the offers of WebRTC clients on to another media server; the media itself goes between those two. */
export class RtcRelay {
  readonly #origins: readonly RelayOrigin[];
  readonly #callers: CallerReader;

  constructor(origins: readonly RelayOrigin[], trustedProxies: readonly string[]) {
    this.#origins = origins;
    this.#callers = new CallerReader(trustedProxies);
  }

  readonly serve = (req: IncomingMessage, res: ServerResponse, reply: Reply): void => {
    this.#pass(req, res, reply).catch((error: unknown) => {
      if (res.destroyed) return;
      // After half a body the connection cannot carry another request.
      res.shouldKeepAlive = false;
      if (res.headersSent) res.destroy();
      else reply.fail(res, error instanceof RequestFailed ? error.failure : mediaServerDown);
    });
  };

  /** Whoever wants to watch is sent to where the stream is; whoever wants to publish, to the first. */
  async #holder(path: string): Promise<RelayOrigin | undefined> {
    if (this.#origins.length === 1) return undefined;
    const query = new URLSearchParams(path.split('?')[1]);
    return holderOf(this.#origins, `/${query.get('app') ?? ''}/${query.get('stream') ?? ''}`);
  }

  async #pass(req: IncomingMessage, res: ServerResponse, reply: Reply): Promise<void> {
    const { method = '', url: path = '/' } = req;
    if (!methods.includes(method)) throw new RequestFailed(wrongMethod);
    const body = Buffer.from(await readBody(req, maxBodyBytes, bodyWithinMs));
    const { address, host } = this.#callers.read(req);
    const left = new AbortController();
    res.once('close', () => left.abort());
    const origin = (await this.#holder(path)) ?? this.#origins[0];
    if (!origin) throw new RequestFailed(mediaServerDown);
    const answer = await origin.api.ask(
      {
        ...{ method, path, body },
        // The host is what SRS tells clients to send media to.
        headers: {
          host,
          'x-forwarded-for': address,
          'x-real-ip': address,
          'content-type': req.headers['content-type'] ?? 'application/sdp',
          'content-length': String(body.length),
        },
      },
      left.signal,
    );
    reply.head(res, answer.statusCode ?? 502, passedHeaders(answer));
    answer.pipe(res);
    answer.once('close', () => {
      if (!answer.complete) res.destroy();
    });
  }
}
