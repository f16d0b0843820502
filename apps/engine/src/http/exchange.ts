import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { CallerReader } from './caller.ts';
import type { Failure, HeaderList } from './failures.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import type { Prepared } from './prepared.ts';
import type { Reply } from './reply.ts';
import { hasTag } from './validators.ts';

/** Request for media, answered once, over any HTTP version. */
export interface Exchange {
  readonly method: string;
  /** Request target, unchanged. */
  readonly url: string;
  /** Connection of the request. */
  readonly socket: Socket;
  /** Client address behind trusted proxies. */
  readonly address: string;
  /** True once answered or disconnected. */
  readonly isOver: boolean;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** Answers from memory. Returns the sent bytes of the body, none for HEAD. */
  answer(status: number, headers: HeaderList, body: Buffer): number;
  /** Answers with a shared answer, compressed if accepted, or with 304. */
  answerPrepared(prepared: Prepared): number;
  /** Streams an answer of known length. */
  answerFrom(status: number, headers: HeaderList, body: Readable): void;
  fail(failure: Failure): void;
  /** Sends a head without a length; from then on the socket is the caller's, until it closes. */
  startStream(headers: HeaderList): Socket;
  /** Calls back once when it is answered or disconnected, at once if that has happened. */
  onOver(then: () => void): void;
  destroy(): void;
}

/** Time without progress after which a client is disconnected. */
export const stallMs = 30_000;
const nothing = Buffer.alloc(0);
/** Size of a write to a connection by TLS, which encrypts it at once and keeps it until the client has taken it. */
const pieceBytes = 64 * 1024;

/** A request that Node's HTTP server read. */
export class HttpExchange implements Exchange {
  readonly #req: HttpRequest;
  readonly #res: HttpResponse;
  readonly #reply: Reply;
  readonly #callers: CallerReader;

  constructor(req: HttpRequest, res: HttpResponse, { reply, callers }: { reply: Reply; callers: CallerReader }) {
    this.#req = req;
    this.#res = res;
    this.#reply = reply;
    this.#callers = callers;
  }

  get method(): string {
    return this.#req.method ?? '';
  }

  get url(): string {
    return this.#req.url ?? '';
  }

  get socket(): Socket {
    return this.#req.socket;
  }

  get address(): string {
    return this.#callers.read(this.#req).address;
  }

  get isOver(): boolean {
    return this.#res.writableEnded || this.#res.destroyed;
  }

  header(name: string): string | undefined {
    const value = this.#req.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  answer(status: number, headers: HeaderList, body: Buffer): number {
    this.#reply.head(this.#res, status, headers);
    // Node closes a connection whose timeout has no listener, and sets its own for the next request.
    if (body.length > 0) this.#req.socket.setTimeout(stallMs);
    const isHead = this.#req.method === 'HEAD';
    if (isHead) this.#res.end();
    else if (body.length > pieceBytes && 'encrypted' in this.#req.socket) this.#pipe(piecesOf(body));
    else this.#res.end(body);
    return isHead ? 0 : body.length;
  }

  answerPrepared(prepared: Prepared): number {
    const form = prepared.formFor(this.header('accept-encoding'));
    if (hasTag(this.header('if-none-match'), form.tag)) return this.answer(304, form.unchanged, nothing);
    return this.answer(200, form.headers, form.body);
  }

  answerFrom(status: number, headers: HeaderList, body: Readable): void {
    this.#reply.head(this.#res, status, headers);
    this.#req.socket.setTimeout(stallMs);
    this.#pipe(body);
  }

  #pipe(body: Readable): void {
    // After the head, a read error of the file can only end the answer early, which the length shows.
    body.on('error', () => this.#res.destroy());
    this.#res.once('close', () => body.destroy());
    body.pipe(this.#res);
  }

  fail(failure: Failure): void {
    this.#reply.fail(this.#res, failure);
  }

  startStream(headers: HeaderList): Socket {
    this.#res.shouldKeepAlive = false;
    this.#res.useChunkedEncodingByDefault = false;
    this.#reply.head(this.#res, 200, [...headers, 'Connection', 'close']);
    this.#res.flushHeaders();
    return this.#req.socket;
  }

  onOver(then: () => void): void {
    if (this.isOver) then();
    else this.#res.once('close', then);
  }

  destroy(): void {
    this.#res.destroy();
  }
}

function piecesOf(body: Buffer): Readable {
  const count = Math.ceil(body.length / pieceBytes);
  const pieces = Array.from({ length: count }, (_, index) =>
    body.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return Readable.from(pieces, { highWaterMark: 1 });
}
