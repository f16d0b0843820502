import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';

/** Request with its body, of any HTTP version. */
export type HttpRequest = Readable &
  Pick<
    IncomingMessage,
    'method' | 'url' | 'httpVersion' | 'headers' | 'headersDistinct' | 'rawHeaders' | 'socket' | 'complete'
  >;

/** The answer to it. */
export interface HttpResponse extends Writable {
  readonly headersSent: boolean;
  /** False if the connection ends with this answer. No meaning for connections with parallel requests. */
  shouldKeepAlive: boolean;
  /** HTTP/1.1 only: chunked encoding of an answer without a length. */
  useChunkedEncodingByDefault?: boolean;
  /** Names and values in turn. */
  writeHead(status: number, headers: string[]): unknown;
  flushHeaders(): void;
  writeContinue(): void;
  setTimeout(ms: number, onTimeout: () => void): unknown;
}
