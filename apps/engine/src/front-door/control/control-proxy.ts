import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '@weir/plane';
import type { Caller, CallerReader } from '../../http/caller.ts';
import { busy } from '../../http/failures.ts';
import type { Reply } from '../../http/reply.ts';
import type { Limits } from '../limits.ts';
import { ControlConnectionPool } from './control-connection-pool.ts';
import { acceptedHeader, KnownBearers, parseBearer } from './known-bearers.ts';
import { Places } from './places.ts';
import { PlainCall, type PlainExchange } from './plain-call.ts';
import { toPlainRequest } from './plain-request.ts';
import { ProxiedRequest } from './proxied-request.ts';
import { requestHeaders } from './proxy-headers.ts';

/** Calls whose target needs no reading: nothing to decode, no query, nothing a media server would want. */
const callPath = /^\/terraform\/v1\/[a-zA-Z0-9/_-]+$/;

/** Passes requests to the control plane over its private socket, streaming both ways. */
export class ControlProxy {
  readonly #socketPath: string;
  readonly #reply: Reply;
  readonly #limits: Limits;
  readonly #log: Log;
  readonly #places: Places;
  readonly #known = new KnownBearers();
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });
  readonly #lines: ControlConnectionPool;

  constructor(options: { socketPath: string; reply: Reply; limits: Limits; log: Log }) {
    this.#socketPath = options.socketPath;
    this.#reply = options.reply;
    this.#limits = options.limits;
    this.#log = options.log;
    this.#places = new Places(options.limits);
    this.#lines = new ControlConnectionPool(options.socketPath);
  }

  forward(req: IncomingMessage, res: ServerResponse, caller: Caller): void {
    const bearer = parseBearer(req.headers.authorization);
    const passage = new ProxiedRequest({
      req,
      res,
      reply: this.#reply,
      limits: this.#limits,
      log: this.#log,
      call: { socketPath: this.#socketPath, headers: requestHeaders(req, caller) },
      onAnswer: ({ statusCode, headers }) =>
        this.#known.learn(bearer, {
          isAccepted: headers[acceptedHeader] !== undefined,
          isRefused: statusCode === 401,
        }),
    });
    const leave =
      (this.#known.has(bearer) ? this.#places.takeAsKnown() : undefined) ??
      this.#places.takeAsStranger(caller.address, passage);
    if (!leave) {
      // Without leave to send its body, a client may send that or its next request.
      if (req.headers.expect !== undefined) res.shouldKeepAlive = false;
      this.#reply.fail(res, busy);
      return;
    }
    res.once('close', leave);
    passage.start(this.#agent);
  }

  static isCall(url: string): boolean {
    return callPath.test(url);
  }

  /** The same for a call that is here as a whole and was read without Node's HTTP objects. */
  forwardPlain(exchange: PlainExchange, callers: CallerReader): void {
    const { address, bearer, fields } = toPlainRequest(exchange, callers);
    const call = new PlainCall({
      exchange,
      limits: this.#limits,
      log: this.#log,
      onAnswer: (status, isAccepted) => this.#known.learn(bearer, { isAccepted, isRefused: status === 401 }),
    });
    const leave =
      (this.#known.has(bearer) ? this.#places.takeAsKnown() : undefined) ?? this.#places.takeAsStranger(address, call);
    if (!leave) {
      exchange.fail(busy);
      return;
    }
    exchange.onOver(leave);
    call.start(this.#lines, fields);
  }

  close(): void {
    this.#agent.destroy();
    this.#lines.close();
  }
}
