import { constants, type ServerHttp2Stream } from 'node:http2';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Exchange } from '../../http/exchange.ts';
import type { Failure, HeaderList } from '../../http/failures.ts';
import type { Prepared } from '../../http/prepared.ts';
import type { Reply } from '../../http/reply.ts';
import { hasTag } from '../../http/validators.ts';
import { smallBytes, TlsPieceQueue } from '../../hub/fan-out/send-queue.ts';
import type { Http2Head } from './http2-head.ts';
import { isOpen, toResponseHeaders } from './http2-messages.ts';

/** Size of writes to a stream. Progress between them distinguishes a slow stream from a stalled one. */
const pieceBytes = 64 * 1024;

interface SocketOptions {
  /** The connection that carries the stream. */
  readonly connection: Socket;
  readonly onSent: (bytes: number) => void;
}

/**
 * One HTTP/2 stream in the form of a socket, because media is sent to sockets. It counts as encrypted, and written bytes count as sent once the
 * system has taken them.
 */
class Http2Socket extends Socket {
  readonly encrypted = true;
  override readonly remoteAddress: string;
  override readonly remotePort: number;
  override readonly localPort: number;
  override bytesWritten = 0;
  readonly #stream: ServerHttp2Stream;
  readonly #onSent: (bytes: number) => void;

  constructor(stream: ServerHttp2Stream, { connection, onSent }: SocketOptions) {
    super();
    this.remoteAddress = connection.remoteAddress ?? '';
    this.remotePort = connection.remotePort ?? 0;
    this.localPort = connection.localPort ?? 0;
    this.#stream = stream;
    this.#onSent = onSent;
    stream.once('close', () => this.destroy());
  }

  /** Connections end streams that stall. */
  override setTimeout(): this {
    return this;
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    const stream = this.#stream;
    this.bytesWritten += bytes.length;
    this.#onSent(bytes.length);
    let from = 0;
    const writeNext = (error?: Error | null): void => {
      // The end of the stream closes this as well.
      if (error || !isOpen(stream) || from >= bytes.length) callback();
      else {
        const piece = bytes.subarray(from, from + pieceBytes);
        from += piece.length;
        stream.write(piece, writeNext);
      }
    };
    writeNext();
  }

  override _writev(all: { chunk: Buffer; encoding: BufferEncoding }[], callback: (error?: Error | null) => void): void {
    let index = 0;
    const writeNext = (): void => {
      const next = all[index];
      index += 1;
      if (next) this._write(next.chunk, next.encoding, writeNext);
      else callback();
    };
    writeNext();
  }

  override _final(callback: (error?: Error | null) => void): void {
    if (this.#stream.writableEnded || !isOpen(this.#stream)) callback();
    else this.#stream.end(() => callback());
  }

  override _destroy(_error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.writableFinished && isOpen(this.#stream)) this.#stream.close(constants.NGHTTP2_CANCEL);
    callback(null);
    // The base class closes it only with a descriptor.
    process.nextTick(() => this.emit('close', false));
  }
}

interface Options {
  readonly stream: ServerHttp2Stream;
  readonly head: Http2Head;
  readonly reply: Reply;
  /** Client address behind trusted proxies. */
  readonly address: string;
  readonly onSent: (bytes: number) => void;
}

const nothing = Buffer.alloc(0);

/** A request for media on one stream of a connection. */
export class Http2Exchange implements Exchange {
  readonly address: string;
  readonly #stream: ServerHttp2Stream;
  readonly #head: Http2Head;
  readonly #reply: Reply;
  readonly #onSent: (bytes: number) => void;
  #isAnswered = false;
  #whenOver: (() => void)[] = [];

  constructor({ stream, head, reply, address, onSent }: Options) {
    this.address = address;
    this.#stream = stream;
    this.#head = head;
    this.#reply = reply;
    this.#onSent = onSent;
    stream.once('close', () => this.#over());
    // Drops the body: unread, it would fill the window shared by all requests of the connection.
    if (!stream.endAfterHeaders) stream.resume();
  }

  get method(): string {
    return this.#head.method;
  }

  get url(): string {
    return this.#head.url;
  }

  get socket(): TLSSocket {
    return this.#head.socket;
  }

  get isOver(): boolean {
    return this.#isAnswered || !isOpen(this.#stream);
  }

  header(name: string): string | undefined {
    const value = this.#head.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  answer(status: number, headers: HeaderList, body: Buffer): number {
    if (this.isOver) return 0;
    const bytes = this.method === 'HEAD' ? 0 : body.length;
    this.#respond(status, headers, bytes === 0);
    if (bytes > smallBytes) {
      const out = this.#socket();
      new TlsPieceQueue(out, () => out.end()).writeAll([body]);
    } else if (bytes > 0) {
      this.#onSent(bytes);
      this.#stream.end(body);
    }
    this.#over();
    return bytes;
  }

  answerPrepared(prepared: Prepared): number {
    const form = prepared.formFor(this.header('accept-encoding'));
    if (hasTag(this.header('if-none-match'), form.tag)) return this.answer(304, form.unchanged, nothing);
    // Avoids reading a form of the body that is not needed, which would copy it.
    return this.answer(200, form.headers, this.method === 'HEAD' ? nothing : form.body);
  }

  answerFrom(status: number, headers: HeaderList, body: Readable): void {
    if (this.isOver) {
      body.destroy();
      return;
    }
    this.#respond(status, headers);
    const out = this.#socket();
    // The head is sent already, so a read error can only cut the answer short.
    body.on('error', () => this.destroy());
    out.once('close', () => body.destroy());
    body.pipe(out);
    this.#over();
  }

  fail(failure: Failure): void {
    const { headers, body } = this.#reply.failure(failure);
    this.answer(failure.status, headers, body);
  }

  startStream(headers: HeaderList): Socket {
    const out = this.#socket();
    if (isOpen(this.#stream)) this.#respond(200, headers);
    else out.destroy();
    this.#over();
    return out;
  }

  onOver(then: () => void): void {
    if (this.isOver) then();
    else this.#whenOver.push(then);
  }

  destroy(): void {
    if (isOpen(this.#stream)) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  #respond(status: number, headers: HeaderList, endStream = false): void {
    this.#stream.respond(toResponseHeaders(status, this.#reply.withStandard(headers)), { endStream });
  }

  #socket(): Http2Socket {
    return new Http2Socket(this.#stream, { connection: this.socket, onSent: this.#onSent });
  }

  #over(): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const whenOver = this.#whenOver;
    this.#whenOver = [];
    for (const then of whenOver) then();
  }
}
