import { Agent, type IncomingMessage, request } from 'node:http';
import type { Failure, HeaderList } from '../../http/failures.ts';

/** Timeout for the start of an answer. */
const answerWithinMs = 15_000;

export const mediaServerDown: Failure = {
  status: 502,
  code: 1,
  message: 'the media server is not responding, try again shortly',
  headers: ['Retry-After', '1'],
};

/** Headers passed back; the rest concerns one hop or is written by the front door. */
const passedBack = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'cache-control',
  'etag',
  'last-modified',
  'location',
];

interface Asked {
  readonly method: string;
  /** Path as the client sent it. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** The connection closed without an answer after the server may have received the request. */
export class ClosedUnanswered extends Error {}
class StaleConnection extends ClosedUnanswered {}

/** A server that media is fetched from over plain HTTP. */
export class Upstream {
  readonly #host: string;
  readonly #port: number;
  readonly #auth: string | undefined;
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });

  constructor(address: string) {
    const { hostname, port, username, password } = new URL(address);
    this.#host = hostname.replace(/^\[|\]$/g, '');
    this.#port = Number(port || 80);
    this.#auth = username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  }

  /** Resolves with the head of the answer; the caller reads its body. */
  async request(asked: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await this.#send(asked, signal, this.#agent);
    } catch (error) {
      // The server may close a kept connection just as it is used again, and serves nothing then.
      if (!(error instanceof StaleConnection) || asked.body !== undefined) throw error;
      return this.#send(asked, signal, false);
    }
  }

  #send({ method, path, headers, body }: Asked, signal: AbortSignal, agent: Agent | false): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: this.#host,
        port: this.#port,
        auth: this.#auth,
        agent,
        method,
        path,
        headers,
        signal,
      });
      const late = setTimeout(() => outgoing.destroy(new Error('no answer in time')), answerWithinMs);
      outgoing.on('response', (answer) => {
        clearTimeout(late);
        // Readers see the `close` event.
        answer.on('error', () => undefined);
        resolve(answer);
      });
      outgoing.on('error', (cause: NodeJS.ErrnoException) => {
        clearTimeout(late);
        const Closed = outgoing.reusedSocket ? StaleConnection : ClosedUnanswered;
        const isClosed = ['ECONNRESET', 'EPIPE'].includes(cause.code ?? '');
        reject(isClosed ? new Closed('the connection was closed', { cause }) : cause);
      });
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export function passedHeaders({ headers }: IncomingMessage, without: readonly string[] = []): HeaderList {
  return passedBack.flatMap((name) => {
    const value = without.includes(name) ? undefined : headers[name];
    return typeof value === 'string' ? [name, value] : [];
  });
}

/** Reads a body of at most this many bytes. */
export async function readWhole(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
