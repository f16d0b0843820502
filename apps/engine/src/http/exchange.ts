import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { CallerReader } from './caller.ts';
import type { Failure, HeaderList } from './failures.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import type { Prepared } from './prepared.ts';
import type { Reply } from './reply.ts';
import { hasTag } from './validators.ts';

/** One request for media and the means to answer it once, whichever way it came in. */
export interface Exchange {
  readonly method: string;
  /** The request target as it came. */
  readonly url: string;
  /** The connection it came on. */
  readonly socket: Socket;
  /** Client address behind trusted proxies. */
  readonly address: string;
  /** Answered, or its connection is gone. */
  readonly isOver: boolean;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** An answer from memory. Returns how many bytes of the body go out, which is none for HEAD. */
  answer(status: number, headers: HeaderList, body: Buffer): number;
  /** The same for an answer that many get: compressed for who takes it so, and not sent to who has it. */
  answerPrepared(prepared: Prepared): number;
  /** An answer of known length that is read while it goes. */
  answerFrom(status: number, headers: HeaderList, body: Readable): void;
  fail(failure: Failure): void;
  /** Sends a head without a length; from then on the socket is the caller's, until it closes. */
  startStream(headers: HeaderList): Socket;
  /** Called once: when it is answered or its connection is gone. At once if that has happened. */
  onOver(then: () => void): void;
  destroy(): void;
}

/** A client that takes nothing for this long loses the connection, and the memory it holds is free again. */
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
    // Node ends a connection whose timeout nobody listens to, and sets its own again for the next request.
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
    // The head is out: all that can be done about a file that stops being readable is to end early, which the length shows.
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
