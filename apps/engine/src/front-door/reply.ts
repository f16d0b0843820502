import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure, HeaderList } from './failures.ts';

/** Answers made here, and the headers that stand on every response whoever made it. */
export class Reply {
  readonly #standard: HeaderList;
  readonly #standardForAuthorization: HeaderList;

  constructor(version: string) {
    this.#standard = standardHeaders(version, '*');
    this.#standardForAuthorization = standardHeaders(version, '*, Authorization');
  }

  head(res: ServerResponse, status: number, headers: HeaderList): void {
    res.writeHead(status, [...this.#standard, ...headers]);
  }

  /** `*` does not cover Authorization in a preflight (Fetch standard, 3.3.2), so a client that asks is told by name. */
  preflight(res: ServerResponse, requestedHeaders: string | undefined): void {
    const names = (requestedHeaders ?? '').toLowerCase().split(',');
    const asksAuthorization = names.some((name) => name.trim() === 'authorization');
    const standard = asksAuthorization ? this.#standardForAuthorization : this.#standard;
    res.writeHead(200, [...standard, 'Content-Length', '0']).end();
  }

  redirect(res: ServerResponse, location: string): void {
    this.head(res, 302, ['Location', location, 'Cache-Control', 'no-store', 'Content-Length', '0']);
    res.end();
  }

  fail(res: ServerResponse, failure: Failure): void {
    const body = bodyOf(failure);
    this.head(res, failure.status, failureHeaders(failure, body));
    res.end(body);
  }

  /**
   * Answers on a connection that has no response object, because its request could not be read, and ends it. Reading
   * goes on for a moment: closing with unread bytes sends a reset, which can overtake the answer.
   */
  failOnSocket(socket: Duplex, failure: Failure): void {
    const body = bodyOf(failure);
    const lines = [`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}`];
    const headers = [...this.#standard, ...failureHeaders(failure, body), 'Connection', 'close'];
    for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
    socket.on('error', () => socket.destroy());
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
    socket.resume();
    setTimeout(() => socket.destroy(), 1000).unref();
  }
}

function standardHeaders(version: string, allowedHeaders: string): HeaderList {
  return [
    ...['Server', `Weir/${version}`],
    ...['Access-Control-Allow-Origin', '*'],
    ...['Access-Control-Allow-Headers', allowedHeaders],
    ...['Access-Control-Allow-Methods', '*'],
    ...['Access-Control-Expose-Headers', '*'],
    ...['Access-Control-Allow-Credentials', 'true'],
  ];
}

function failureHeaders(failure: Failure, body: string): HeaderList {
  return [
    ...['Content-Type', 'application/json'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Cache-Control', 'no-store'],
    ...(failure.headers ?? []),
  ];
}

function bodyOf({ code, message }: Failure): string {
  return JSON.stringify({ code, data: { message } });
}
