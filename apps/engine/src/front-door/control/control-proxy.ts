import { hash } from 'node:crypto';
import { Agent } from 'node:http';
import { privateHeaders } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { toNetworks } from '@weir/streams';
import type { Caller, CallerReader, RequestFacts } from '../../http/caller.ts';
import { busy } from '../../http/failures.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import { formatHeaders, type Reply } from '../../http/reply.ts';
import { NetworkShares } from '../../hub/network-shares.ts';
import type { HeadFields } from '../fast-path/request-head.ts';
import type { Limits } from '../limits.ts';
import { ControlConnectionPool } from './control-connection-pool.ts';
import { PlainCall, type PlainExchange } from './plain-call.ts';
import { ProxiedRequest } from './proxied-request.ts';
import { requestHeaders } from './proxy-headers.ts';

/** A request that holds a place. */
interface Guest {
  /** Ends the request, to free its place for another. */
  giveWay(): void;
}

/**
 * Request slots at the control plane. Each network has a share. When all slots are used, the region with the most
 * requests loses its oldest one to a region with fewer. Signed-in clients have slots that anonymous clients cannot use.
 */
class Places {
  readonly #maxStrangers: number;
  readonly #maxKnown: number;
  readonly #shares: NetworkShares;
  /** Strangers by region, oldest first. */
  readonly #strangers = new Map<string, Set<Guest>>();
  #strangerCount = 0;
  #knownCount = 0;

  constructor({ maxUpstream, reservedUpstream, perNetwork }: Limits) {
    this.#maxStrangers = maxUpstream;
    this.#maxKnown = reservedUpstream;
    this.#shares = new NetworkShares(perNetwork);
  }

  /** Gives a place, and with it the means to leave it; undefined when there is none. */
  reserveForStranger(address: string, guest: Guest): (() => void) | undefined {
    const { region } = toNetworks(address);
    if (!this.#shares.take(address)) return undefined;
    if (this.#strangerCount >= this.#maxStrangers && !this.#makeRoom(region)) {
      this.#shares.giveBack(address);
      return undefined;
    }
    const neighbours = this.#strangers.get(region) ?? new Set();
    this.#strangers.set(region, neighbours.add(guest));
    this.#strangerCount++;
    return () => {
      this.#shares.giveBack(address);
      this.#remove(region, guest);
    };
  }

  reserveForKnown(): (() => void) | undefined {
    if (this.#knownCount >= this.#maxKnown) return undefined;
    this.#knownCount++;
    return () => {
      this.#knownCount--;
    };
  }

  /** Takes a place from the region that holds most, if that is more than the newcomer's would hold then. */
  #makeRoom(newcomer: string): boolean {
    let largest = '';
    for (const [region, { size }] of this.#strangers) {
      if (size > this.#sizeOf(largest)) largest = region;
    }
    if (this.#sizeOf(largest) <= this.#sizeOf(newcomer) + 1) return false;
    const [oldest] = this.#strangers.get(largest) ?? [];
    if (!oldest) return false;
    // Closing takes a moment; the place is free at once.
    this.#remove(largest, oldest);
    oldest.giveWay();
    return true;
  }

  #sizeOf(region: string): number {
    return this.#strangers.get(region)?.size ?? 0;
  }

  #remove(region: string, guest: Guest): void {
    const neighbours = this.#strangers.get(region);
    if (!neighbours?.delete(guest)) return;
    this.#strangerCount--;
    if (neighbours.size === 0) this.#strangers.delete(region);
  }
}

/** Facts of a plain call beyond its target and body. */
interface PlainRequest {
  /** Client address. */
  readonly address: string;
  readonly bearer: Bearer | undefined;
  /** The header fields for the control plane, as they go over the wire. */
  readonly fields: string;
}

/** By the fields of a connection, which has them for itself: a program sends the same ones with every call. */
const known = new WeakMap<HeadFields, PlainRequest>();

/** The same words as of any other request (`requestHeaders`), put together once for all calls that say the same. */
function toPlainRequest({ fields, socket }: PlainExchange, callers: CallerReader): PlainRequest {
  let request = known.get(fields);
  if (!request) {
    const facts = factsOf(fields, socket);
    const caller = callers.read(facts);
    request = {
      address: caller.address,
      bearer: parseBearer(fields.get('authorization')),
      fields: formatHeaders(requestHeaders(facts, caller)),
    };
    known.set(fields, request);
  }
  return request;
}

function factsOf(fields: HeadFields, socket: PlainExchange['socket']): RequestFacts {
  const rawHeaders = fields.raw();
  const headers: Record<string, string> = {};
  const headersDistinct: Record<string, string[]> = {};
  for (const name of new Set(rawHeaders.filter((_, index) => index % 2 === 0).map((given) => given.toLowerCase()))) {
    headersDistinct[name] = fields.all(name);
    headers[name] = fields.get(name) ?? '';
  }
  return { method: 'POST', httpVersion: '1.1', headers, headersDistinct, rawHeaders, socket };
}

/** Calls whose target needs no reading: nothing to decode, no query, nothing a media server would want. */
const callPath = /^\/terraform\/v1\/[a-zA-Z0-9/_-]+$/;
/** Calls with answers that are made while they are sent: they have no length, which the short way needs. */
const lengthless: ReadonlySet<string> = new Set(['/terraform/v1/mgmt/backup/download', '/terraform/v1/mgmt/events']);

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

  forward(req: HttpRequest, res: HttpResponse, caller: Caller): void {
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
          isAccepted: headers[privateHeaders.accepted] !== undefined,
          isRefused: statusCode === 401,
        }),
    });
    const leave =
      (this.#known.has(bearer) ? this.#places.reserveForKnown() : undefined) ??
      this.#places.reserveForStranger(caller.address, passage);
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
    return callPath.test(url) && !lengthless.has(url);
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
      (this.#known.has(bearer) ? this.#places.reserveForKnown() : undefined) ??
      this.#places.reserveForStranger(address, call);
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

/** The hash of an Authorization header. */
type Bearer = string & { readonly isHash: unique symbol };

export function parseBearer(authorization: string | undefined): Bearer | undefined {
  return authorization === undefined ? undefined : (hash('sha256', authorization, 'base64') as Bearer);
}

/** Longer than a console that is open asks for nothing. */
const keptMs = 10 * 60_000;
const mostKept = 200;

/**
 * Credentials that the control plane accepted a while ago, as hashes. Only it can judge one; this is for knowing cheaply,
 * while strangers fill every place, whose request is most likely an administrator's.
 */
export class KnownBearers {
  readonly #acceptedAtMs = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  has(bearer: Bearer | undefined): boolean {
    if (bearer === undefined) return false;
    const acceptedAtMs = this.#acceptedAtMs.get(bearer);
    return acceptedAtMs !== undefined && this.#now() - acceptedAtMs < keptMs;
  }

  /** Records the control plane's verdict on a credential. */
  learn(bearer: Bearer | undefined, { isAccepted, isRefused }: { isAccepted: boolean; isRefused: boolean }): void {
    if (bearer === undefined || !(isAccepted || isRefused)) return;
    this.#acceptedAtMs.delete(bearer);
    if (!isAccepted) return;
    this.#acceptedAtMs.set(bearer, this.#now());
    if (this.#acceptedAtMs.size <= mostKept) return;
    const [oldest] = this.#acceptedAtMs.keys();
    if (oldest !== undefined) this.#acceptedAtMs.delete(oldest);
  }
}
