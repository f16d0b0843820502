import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '@weir/plane';
import type { Caller } from '../../http/caller.ts';
import { busy } from '../../http/failures.ts';
import type { Reply } from '../../http/reply.ts';
import type { Limits } from '../limits.ts';
import { acceptedHeader, KnownBearers } from './known-bearers.ts';
import { Passage } from './passage.ts';
import { Places } from './places.ts';
import { requestHeaders } from './proxy-headers.ts';

/** Passes requests to the control plane over its private socket, streaming both ways. */
export class ControlProxy {
  readonly #socketPath: string;
  readonly #reply: Reply;
  readonly #limits: Limits;
  readonly #log: Log;
  readonly #places: Places;
  readonly #known = new KnownBearers();
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });

  constructor(options: { socketPath: string; reply: Reply; limits: Limits; log: Log }) {
    this.#socketPath = options.socketPath;
    this.#reply = options.reply;
    this.#limits = options.limits;
    this.#log = options.log;
    this.#places = new Places(options.limits);
  }

  forward(req: IncomingMessage, res: ServerResponse, caller: Caller): void {
    const { authorization } = req.headers;
    const passage = new Passage({
      req,
      res,
      reply: this.#reply,
      limits: this.#limits,
      log: this.#log,
      call: { socketPath: this.#socketPath, headers: requestHeaders(req, caller) },
      onAnswer: ({ statusCode, headers }) =>
        this.#known.learn(authorization, {
          isAccepted: headers[acceptedHeader] !== undefined,
          isRefused: statusCode === 401,
        }),
    });
    const leave =
      (this.#known.has(authorization) ? this.#places.takeAsKnown() : undefined) ??
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

  close(): void {
    this.#agent.destroy();
  }
}
