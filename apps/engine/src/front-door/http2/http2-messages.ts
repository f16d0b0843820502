import { constants, type ServerHttp2Stream } from 'node:http2';
import { Readable, Writable } from 'node:stream';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import type { Http2Head } from './http2-head.ts';

/** Limit of buffered body bytes, in both directions. */
const highWaterMark = 64 * 1024;

/** The request of one stream. */
export class Http2Request extends Readable implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly headers: Http2Head['headers'];
  readonly headersDistinct: Http2Head['headersDistinct'];
  readonly rawHeaders: string[];
  readonly socket: Http2Head['socket'];
  /** True once the body is complete. */
  complete = false;
  readonly #stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream, head: Http2Head, onReceived: (bytes: number) => void) {
    super({ highWaterMark });
    this.method = head.method;
    this.url = head.url;
    this.httpVersion = head.httpVersion;
    this.headers = head.headers;
    this.headersDistinct = head.headersDistinct;
    this.rawHeaders = head.rawHeaders;
    this.socket = head.socket;
    this.#stream = stream;
    if (stream.endAfterHeaders) {
      this.#complete();
      return;
    }
    stream.on('data', (chunk: Buffer) => {
      onReceived(chunk.length);
      if (!this.push(chunk)) stream.pause();
    });
    stream.pause();
    stream.once('end', () => {
      // Also emitted after the client has given up.
      if (!stream.aborted) this.#complete();
    });
    stream.once('close', () => {
      if (!this.complete) this.destroy();
    });
  }

  #complete(): void {
    this.complete = true;
    this.push(null);
  }

  override _read(): void {
    if (!this.complete) this.#stream.resume();
  }

  /** Further data is dropped. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#stream.resume();
    callback(error);
  }
}

/** The answer on one stream. */
export class Http2Response extends Writable implements HttpResponse {
  shouldKeepAlive = true;
  readonly #stream: ServerHttp2Stream;
  readonly #onSent: (bytes: number) => void;

  constructor(stream: ServerHttp2Stream, onSent: (bytes: number) => void) {
    super({ highWaterMark });
    this.#stream = stream;
    this.#onSent = onSent;
    stream.once('close', () => this.destroy());
  }

  get headersSent(): boolean {
    return this.#stream.headersSent;
  }

  writeHead(status: number, headers: string[]): this {
    if (isOpen(this.#stream)) this.#stream.respond(toResponseHeaders(status, headers));
    return this;
  }

  flushHeaders(): void {
    if (!this.headersSent) this.writeHead(200, []);
  }

  writeContinue(): void {
    if (isOpen(this.#stream)) this.#stream.additionalHeaders({ ':status': 100 });
  }

  setTimeout(ms: number, onTimeout: () => void): this {
    this.#stream.setTimeout(ms, onTimeout);
    return this;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.flushHeaders();
    // The answer to HEAD and some others have no body.
    if (this.#stream.writableEnded || !isOpen(this.#stream)) {
      callback();
      return;
    }
    this.#onSent(chunk.length);
    this.#stream.write(chunk, () => callback());
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.flushHeaders();
    if (this.#stream.writableEnded || !isOpen(this.#stream)) callback();
    else this.#stream.end(() => callback());
  }

  /** Ends a partial answer with an error, so that it is not taken for a complete one. */
  override _destroy(_error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.writableFinished && isOpen(this.#stream)) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    callback();
  }
}

export function isOpen(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed;
}

/** Headers of an answer in HTTP/2, without those of the connection (RFC 9113, 8.2.2). */
export function toResponseHeaders(status: number, headers: readonly string[]): string[] {
  const kept = [':status', String(status)];
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    if (!/^(?:connection|keep-alive|transfer-encoding|upgrade)$/i.test(name)) kept.push(name, value);
  }
  return kept;
}
