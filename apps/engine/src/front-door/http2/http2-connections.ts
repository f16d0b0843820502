import { constants, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Exchange } from '../../http/exchange.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import type { Reply } from '../../http/reply.ts';
import type { OpenConnections } from '../open-connections.ts';
import { FrameBudget } from './frame-budget.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { type Http2Head, readHttp2Head } from './http2-head.ts';
import { Http2Request, Http2Response } from './http2-messages.ts';

/** Request of a stream, and the two forms of its answer. */
export interface Http2Call {
  readonly head: Http2Head;
  toExchange(reply: Reply, address: string): Exchange;
  toMessages(): { readonly req: HttpRequest; readonly res: HttpResponse };
}

interface Http2Options {
  readonly serve: (call: Http2Call) => void;
  /** Reserves a place for a request. Returns a function that frees it, or undefined at the limit. */
  readonly reserve: (head: Http2Head) => (() => void) | undefined;
  readonly connections: Pick<OpenConnections, 'setBusy' | 'setWaiting'>;
  readonly maxHeaderBytes: number;
  readonly keepAliveMs: number;
  readonly stallMs: number;
}

/** Open request, with the time of its client's last progress. */
interface OpenRequest {
  pending: number;
  sinceMs: number;
}

/** Requests that a connection may have at a time. Browsers take six connections for as many over HTTP/1.1. */
const maxStreams = 64;
/** Limit of unread body bytes, per stream and per connection. */
const windowBytes = 256 * 1024;
/** Time to flush a closing connection. */
const closeMs = 2000;

function openSession(socket: TLSSocket, maxHeaderBytes: number): ServerHttp2Session {
  const session = performServerHandshake(socket, {
    maxSessionMemory: 4,
    maxHeaderListPairs: 128,
    // Disabled in Node: the budget limits useless frames, and names the reason.
    maxSessionInvalidFrames: 50_000,
    maxSessionRejectedStreams: 100,
    // Limit of requests that clients cancel quickly. A few are normal: a player that changes the quality.
    streamResetBurst: 200,
    streamResetRate: 20,
    strictSingleValueFields: false,
    settings: { maxConcurrentStreams: maxStreams, maxHeaderListSize: maxHeaderBytes, initialWindowSize: windowBytes },
  });
  session.setLocalWindowSize(windowBytes);
  return session;
}

/** HTTP/2 connection: its open requests, and their cost. */
class Http2Connection {
  readonly #socket: TLSSocket;
  readonly #options: Http2Options;
  readonly #session: ServerHttp2Session;
  readonly #requests = new Map<ServerHttp2Stream, OpenRequest>();
  readonly #budget: FrameBudget;
  #idleSinceMs: number;
  #closeAtMs = Number.POSITIVE_INFINITY;

  constructor(socket: TLSSocket, options: Http2Options) {
    const nowMs = performance.now();
    this.#socket = socket;
    this.#options = options;
    this.#budget = new FrameBudget(nowMs);
    this.#idleSinceMs = nowMs;
    this.#session = openSession(socket, options.maxHeaderBytes);
    // The session closes itself after an error.
    this.#session.on('error', () => undefined);
    this.#session.on('stream', (stream, headers, _flags, raw) => {
      stream.on('error', () => undefined);
      // Cancelled in the same packet, before any work.
      if (stream.destroyed || stream.closed) this.#countReset();
      else this.#open(stream, readHttp2Head({ headers, raw, hasBody: !stream.endAfterHeaders, socket }));
    });
  }

  /** Lets open requests finish for a limited time, and refuses new ones. */
  close(): void {
    this.#closeAtMs = Math.min(this.#closeAtMs, performance.now() + closeMs);
    this.#session.close();
  }

  /** Closes expensive, stalled or idle connections. Called several times a second. */
  check(nowMs: number): void {
    if (this.#socket.destroyed) return;
    if (nowMs >= this.#closeAtMs) {
      this.#socket.destroy();
      return;
    }
    const unread = () => this.#session.state.effectiveRecvDataLength ?? 0;
    if (!this.#budget.pass(this.#socket.bytesRead, nowMs, unread)) this.#refuse();
    else if (this.#requests.size === 0 && nowMs - this.#idleSinceMs >= this.#options.keepAliveMs) this.close();
    else for (const [stream, request] of this.#requests) this.#checkProgress(stream, request, nowMs);
  }

  #checkProgress(stream: ServerHttp2Stream, request: OpenRequest, nowMs: number): void {
    const pending = stream.bufferSize;
    if (pending === 0 || pending !== request.pending) {
      request.pending = pending;
      request.sinceMs = nowMs;
    } else if (nowMs - request.sinceMs >= this.#options.stallMs) stream.close(constants.NGHTTP2_CANCEL);
  }

  #open(stream: ServerHttp2Stream, head: Http2Head): void {
    const { reserve, connections, serve } = this.#options;
    this.#budget.received(sizeOf(head.rawHeaders) + head.url.length);
    const leave = reserve(head);
    if (!leave) {
      // The client may try again: nothing was done.
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    this.#requests.set(stream, { pending: 0, sinceMs: performance.now() });
    connections.setBusy(this.#socket);
    stream.once('close', () => {
      leave();
      this.#requests.delete(stream);
      if (isGivenUp(stream)) this.#countReset();
      if (this.#requests.size > 0) return;
      this.#idleSinceMs = performance.now();
      connections.setWaiting(this.#socket);
    });
    // The rest of the body is not read (RFC 9113, 8.1).
    stream.once('finish', () => {
      if (!stream.endAfterHeaders && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    });
    serve(this.#callOf(stream, head));
  }

  #callOf(stream: ServerHttp2Stream, head: Http2Head): Http2Call {
    const onSent = (bytes: number) => this.#budget.sent(bytes);
    const onReceived = (bytes: number) => this.#budget.received(bytes);
    return {
      head,
      toExchange: (reply, address) => new Http2Exchange({ stream, head, reply, address, onSent }),
      toMessages: () => ({
        req: new Http2Request(stream, head, onReceived),
        res: new Http2Response(stream, onSent),
      }),
    };
  }

  #countReset(): void {
    if (!this.#budget.reset()) this.#refuse();
  }

  #refuse(): void {
    if (this.#session.destroyed) return;
    this.#closeAtMs = performance.now() + closeMs;
    this.#session.destroy(new Error('too many frames of no use'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

/** True for a request that its client cancelled, or that broke a rule. */
function isGivenUp({ aborted, rstCode }: ServerHttp2Stream): boolean {
  return aborted && rstCode !== constants.NGHTTP2_INTERNAL_ERROR;
}

/** Upper bound of the size of fields on the wire. */
function sizeOf(rawHeaders: readonly string[]): number {
  let bytes = 64;
  for (const text of rawHeaders) bytes += text.length + 4;
  return bytes;
}

/** The interval grows with the number of connections. */
const leastEveryMs = 100;
const mostEveryMs = 1000;
const msPerConnection = 0.2;

/** All HTTP/2 connections. */
export class Http2Connections {
  readonly #options: Http2Options;
  readonly #open = new Set<Http2Connection>();
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: Http2Options) {
    this.#options = options;
  }

  add(socket: TLSSocket): void {
    if (socket.destroyed || this.#isClosing) {
      socket.destroy();
      return;
    }
    const connection = new Http2Connection(socket, this.#options);
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
    this.#schedule();
  }

  close(): void {
    this.#isClosing = true;
    for (const connection of this.#open) connection.close();
  }

  #schedule(): void {
    if (this.#timer || this.#open.size === 0) return;
    const everyMs = Math.min(mostEveryMs, Math.max(leastEveryMs, this.#open.size * msPerConnection));
    this.#timer = setTimeout(this.#check, everyMs).unref();
  }

  readonly #check = (): void => {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (const connection of this.#open) connection.check(nowMs);
    this.#schedule();
  };
}
