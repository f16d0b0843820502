import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '@weir/plane';
import type { Caller } from './caller.ts';
import { busy } from './failures.ts';
import type { Limits } from './limits.ts';
import { Passage } from './passage.ts';
import { requestHeaders } from './proxy-headers.ts';
import type { Reply } from './reply.ts';

/** Passes requests to the control plane over its private socket, streaming both ways. */
export class ControlProxy {
  readonly #socketPath: string;
  readonly #reply: Reply;
  readonly #limits: Limits;
  readonly #log: Log;
  readonly #agent: Agent;
  readonly #inHandByClient = new Map<string, number>();
  #inHand = 0;

  constructor(options: { socketPath: string; reply: Reply; limits: Limits; log: Log }) {
    this.#socketPath = options.socketPath;
    this.#reply = options.reply;
    this.#limits = options.limits;
    this.#log = options.log;
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.limits.maxUpstream, maxFreeSockets: 16 });
  }

  forward(req: IncomingMessage, res: ServerResponse, caller: Caller): void {
    const { address } = caller;
    const { maxUpstream, maxQueued, maxPerClient } = this.#limits;
    const ofClient = this.#inHandByClient.get(address) ?? 0;
    if (this.#inHand >= maxUpstream + maxQueued || ofClient >= maxPerClient) {
      // Without leave to send its body, a client may send that or its next request.
      if (req.headers.expect !== undefined) res.shouldKeepAlive = false;
      this.#reply.fail(res, busy);
      return;
    }
    this.#inHand++;
    this.#inHandByClient.set(address, ofClient + 1);
    res.once('close', () => this.#release(address));
    new Passage({
      req,
      res,
      reply: this.#reply,
      limits: this.#limits,
      log: this.#log,
      call: { socketPath: this.#socketPath, headers: requestHeaders(req, caller) },
    }).start(this.#agent);
  }

  close(): void {
    this.#agent.destroy();
  }

  #release(address: string): void {
    this.#inHand--;
    const ofClient = (this.#inHandByClient.get(address) ?? 1) - 1;
    if (ofClient === 0) this.#inHandByClient.delete(address);
    else this.#inHandByClient.set(address, ofClient);
  }
}
