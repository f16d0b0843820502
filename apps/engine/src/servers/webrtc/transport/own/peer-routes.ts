import { randomBytes } from 'node:crypto';
import { isProved, type parseStunAnswer, writeStunCheck } from '@weir/media/stun';
import { Route, routeKey, type Way } from './route.ts';
import type { Claimant, RouteTable } from './route-table.ts';
import type { SendBatch } from './sending/send-batch.ts';

/** Ways that a peer may keep open at a time. */
const mostRoutes = 8;
/** A way that was silent for this long is left for another one, also if the other side has not chosen that. */
const silentRouteMs = 3000;
/** An address is asked to prove itself at most this often. */
const checkEveryMs = 50;

interface Names {
  readonly localUfrag: string;
  readonly remoteUfrag: string;
  readonly remotePwd: string;
}

interface Options {
  readonly table: RouteTable<Claimant>;
  readonly batch: Pick<SendBatch, 'send'>;
  readonly names: Names;
  readonly owner: Claimant;
}

/** The ways to one peer: which it has shown, which of them are proved, and which one is used. */
export class PeerRoutes {
  /** Route in use. Media is sent only once a peer there has answered. */
  current: Route | undefined;
  readonly #options: Options;
  readonly #routes = new Map<string, Route>();
  /** Route that the peer nominated, until it has answered there. */
  #wanted: Route | undefined;
  /** Routes that were sent DTLS. */
  readonly #shaken = new Set<Route>();
  #hasKeys = false;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  at(key: string): Route | undefined {
    return this.#routes.get(key);
  }

  /** A check that was proved to be the peer's came this way. */
  onCheck({ host, port, local }: Way, isNominated: boolean, nowMs: number): Route {
    const known = this.#routes.get(routeKey(host, port, local)) ?? this.#learn(new Route(host, port, local));
    const { current } = this;
    const silentMs = nowMs - (current?.heardMs ?? Number.NEGATIVE_INFINITY);
    known.heardMs = nowMs;
    this.#options.table.claim(known.key, this.#options.owner);
    if (current === undefined || current === known || isNominated || silentMs > silentRouteMs) this.#goTo(known);
    return known;
  }

  /** Sends a check to the address, which only its real owner can answer. */
  sendCheck(route: Route): void {
    const nowMs = performance.now();
    if (this.#isClosed || nowMs - route.checkedMs < checkEveryMs) return;
    const { table, batch, names, owner } = this.#options;
    route.checkedMs = nowMs;
    route.transactionId ??= randomBytes(12);
    table.addCheck(route.transactionId, owner);
    batch.send(route, writeStunCheck({ transactionId: route.transactionId, ...names }));
  }

  /** Handles an answer to our check; returns its route if the answer is valid. */
  onAnswer(bytes: Buffer, answer: NonNullable<ReturnType<typeof parseStunAnswer>>, key: string): Route | undefined {
    const { table, names, owner } = this.#options;
    const route = this.#routes.get(key);
    if (!route?.transactionId?.equals(answer.transactionId)) return undefined;
    if (!isProved(bytes, answer, names.remotePwd)) return undefined;
    this.#cancelCheck(route);
    route.isProved = true;
    table.claim(key, owner);
    if (this.#wanted === route) this.#goTo(route);
    return route;
  }

  /** Sends a part of DTLS to where the peer is. */
  sendDtls(datagram: Buffer): void {
    if (!this.current) return;
    if (!this.#hasKeys) this.#shaken.add(this.current);
    this.#options.batch.send(this.current, datagram);
  }

  /**
   * A completed DTLS handshake proves that our flights arrived: if they went to one route only, the peer is there. The
   * source of the last message proves nothing, because it can be forged.
   */
  onKeys(): void {
    this.#hasKeys = true;
    const [only, other] = this.#shaken;
    if (only && !other) only.isProved = true;
    this.#shaken.clear();
    if (this.current) this.#goTo(this.current);
  }

  close(): void {
    this.#isClosed = true;
    for (const route of this.#routes.values()) this.#release(route);
  }

  /**
   * Changes the address of the peer. Whoever has the password can send checks with a forged address, and media must not follow them to
   * strangers. So with keys, the new address must first answer a check.
   */
  #goTo(route: Route): void {
    const isAllowed = !this.#hasKeys || route.isProved;
    if (isAllowed) this.current = route;
    else this.sendCheck(route);
    this.#wanted = isAllowed ? undefined : route;
  }

  /** Evicts the route that was silent longest, but never the one in use. */
  #learn(route: Route): Route {
    if (this.#routes.size >= mostRoutes) {
      const others = [...this.#routes.values()].filter((each) => each !== this.current);
      const [silent] = others.sort((a, b) => a.heardMs - b.heardMs);
      if (silent) this.#release(silent);
    }
    this.#routes.set(route.key, route);
    return route;
  }

  #release(route: Route): void {
    this.#routes.delete(route.key);
    this.#cancelCheck(route);
    this.#options.table.release(route.key, this.#options.owner);
    if (this.#wanted === route) this.#wanted = undefined;
  }

  #cancelCheck(route: Route): void {
    if (route.transactionId) this.#options.table.cancelCheck(route.transactionId);
    route.transactionId = undefined;
  }
}
