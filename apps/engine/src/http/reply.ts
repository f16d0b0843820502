import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { openCors, preflightCors } from './cors.ts';
import type { Failure, HeaderList } from './failures.ts';
import type { HttpResponse } from './messages.ts';

/** Answers made here, and the common headers of every response. */
export class Reply {
  readonly #server: HeaderList;
  readonly #standard: HeaderList;
  /** The same headers as text, for plain sockets. */
  readonly #standardText: string;
  #dateSecond = 0;
  #date = '';

  constructor(version: string, cors: HeaderList = openCors) {
    this.#server = ['Server', `Weir/${version}`];
    this.#standard = [...this.#server, ...cors];
    this.#standardText = formatHeaders(this.#standard);
  }

  /** Current second, within which heads are equal. */
  get second(): number {
    return Math.floor(Date.now() / 1000);
  }

  /** Date header, formatted once a second. */
  get #dateNow(): string {
    const { second } = this;
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#date = new Date(second * 1000).toUTCString();
    }
    return this.#date;
  }

  /** A head for a bare socket, with what Node would add to it. */
  wireHead(status: number, headers: HeaderList, connection: 'keep-alive' | 'close' = 'keep-alive'): Buffer {
    const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
    const last = `Date: ${this.#dateNow}\r\nConnection: ${connection}\r\n\r\n`;
    return Buffer.from(`${line}${this.#standardText}${formatHeaders(headers)}${last}`, 'latin1');
  }

  readonly wireOk = (headers: HeaderList): Buffer => this.wireHead(200, headers);

  /** These headers and those of every response. */
  withStandard(headers: HeaderList): string[] {
    return [...this.#standard, ...headers];
  }

  head(res: HttpResponse, status: number, headers: HeaderList): void {
    res.writeHead(status, this.withStandard(headers));
  }

  /** `from`: requesting site, for media. */
  preflight(res: HttpResponse, asked: { from: string | undefined; headers: string | undefined }): void {
    res.writeHead(200, [...this.#server, ...preflightCors(asked), 'Content-Length', '0']);
    res.end();
  }

  redirect(res: HttpResponse, location: string): void {
    this.head(res, 302, ['Location', location, 'Cache-Control', 'no-store', 'Content-Length', '0']);
    res.end();
  }

  page(res: HttpResponse, status: number, { headers, body }: { headers: HeaderList; body: Buffer }): void {
    this.head(res, status, headers);
    res.end(body);
  }

  fail(res: HttpResponse, failure: Failure): void {
    this.page(res, failure.status, this.failure(failure));
  }

  failure(failure: Failure): { readonly headers: HeaderList; readonly body: Buffer } {
    const body = bodyOf(failure);
    return { headers: failureHeaders(failure, body), body };
  }

  /**
   * Answers on a connection that has no response object, because its request could not be read, and ends it. Reading
   * goes on for a moment: closing with unread bytes sends a reset, which can overtake the answer.
   */
  failOnSocket(socket: Duplex, failure: Failure): void {
    const { headers, body } = this.failure(failure);
    socket.on('error', () => socket.destroy());
    socket.end(Buffer.concat([this.wireHead(failure.status, headers, 'close'), body]));
    socket.resume();
    setTimeout(() => socket.destroy(), 1000).unref();
  }
}

export function formatHeaders(headers: HeaderList): string {
  let text = '';
  for (let index = 0; index < headers.length; index += 2) text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return text;
}

function failureHeaders(failure: Failure, body: Buffer): HeaderList {
  return [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(body.length),
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    'no-store',
    ...(failure.headers ?? []),
  ];
}

function bodyOf({ code, message }: Failure): Buffer {
  return Buffer.from(JSON.stringify({ code, data: { message } }));
}
