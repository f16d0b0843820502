import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';

/** A request and its body, whichever version of HTTP brought it. */
export type HttpRequest = Readable &
  Pick<
    IncomingMessage,
    'method' | 'url' | 'httpVersion' | 'headers' | 'headersDistinct' | 'rawHeaders' | 'socket' | 'complete'
  >;

/** The answer to it. */
export interface HttpResponse extends Writable {
  readonly headersSent: boolean;
  /** False: the connection ends with this answer. Means nothing where a connection carries many at a time. */
  shouldKeepAlive: boolean;
  /** HTTP/1.1 alone: an answer without a length goes in chunks. */
  useChunkedEncodingByDefault?: boolean;
  /** Names and values in turn. */
  writeHead(status: number, headers: string[]): unknown;
  flushHeaders(): void;
  writeContinue(): void;
  setTimeout(ms: number, onTimeout: () => void): unknown;
}
