import type { IncomingMessage } from 'node:http';
import type { Log } from '@weir/plane';
import { type Exchange, stallMs } from '../../http/exchange.ts';
import { badRequest, notPublished, wrongMethod } from '../../http/failures.ts';
import { findOrigin, type RelayOrigin } from './relay-origin.ts';
import { mediaServerDown, passedHeaders, readWhole } from './upstream.ts';

/** Limit for an answer without a length that is not a stream, such as an error text. */
const largestNote = 64 * 1024;
const passedOn = ['range', 'user-agent', 'referer', 'if-none-match', 'if-modified-since'];

/** Fetches media for viewers from another media server, at the pace at which they read. */
export class MediaRelay {
  readonly #origins: readonly RelayOrigin[];
  readonly #log: Log;

  constructor({ origins, log }: { origins: readonly RelayOrigin[]; log: Log }) {
    this.#origins = origins;
    this.#log = log;
  }

  readonly serve = (exchange: Exchange): void => {
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') exchange.fail(wrongMethod);
    else if (/[^\x21-\x7e]/.test(exchange.url)) exchange.fail(badRequest('the request URL is not valid'));
    else void this.#fetch(exchange);
  };

  async #fetch(exchange: Exchange): Promise<void> {
    const left = new AbortController();
    let isWaiting = true;
    // Over HTTP/2 one connection carries many requests: what ends is the exchange.
    exchange.onOver(() => {
      if (isWaiting) left.abort();
    });
    try {
      const { method, url: path } = exchange;
      const [file = ''] = path.split('?', 1);
      const origin = await this.#originOf(file);
      if (!origin) {
        exchange.fail(notPublished);
        return;
      }
      if (file.endsWith('.flv')) {
        // SRS would not answer it before the stream ends.
        if (method === 'HEAD') {
          exchange.answer(200, ['Content-Type', 'video/x-flv'], Buffer.alloc(0));
          return;
        }
      }
      const answer = await origin.media.request({ method, path, headers: headersOf(exchange) }, left.signal);
      isWaiting = false;
      await this.#passBack(exchange, answer);
    } catch (error) {
      if (exchange.isOver || left.signal.aborted) return;
      this.#log.debug({ err: error }, 'the media server did not answer');
      exchange.fail(mediaServerDown);
    }
  }

  /** Undefined where there is nothing to fetch. HLS stays for a moment after its publisher has left. */
  async #originOf(file: string): Promise<RelayOrigin | undefined> {
    const stream = file.replace(/\.(flv|m3u8)$|-\d+-\d+\.ts$/, '');
    if (file.endsWith('.flv')) return findOrigin(this.#origins, stream);
    const [only] = this.#origins;
    return this.#origins.length === 1 ? only : ((await findOrigin(this.#origins, stream)) ?? only);
  }

  /** Resolves when the answer is complete or either side has closed. */
  async #passBack(exchange: Exchange, answer: IncomingMessage): Promise<void> {
    const status = answer.statusCode ?? 502;
    const headers = passedHeaders(answer);
    const gone = new Promise<void>((resolve) => answer.once('close', resolve));
    if (exchange.isOver) {
      answer.destroy();
    } else if (exchange.method === 'HEAD' || status === 304) {
      answer.resume();
      exchange.answer(status, headers, Buffer.alloc(0));
    } else if (answer.headers['content-length'] !== undefined) {
      exchange.answerFrom(status, headers, answer);
    } else if (status === 200) {
      passStream(exchange, answer);
    } else {
      const note = await readWhole(answer, largestNote);
      exchange.answer(status, [...headers, 'Content-Length', String(note.length)], note);
    }
    await gone;
  }
}

/** Passes on an answer of unknown length. A viewer that reads nothing is disconnected, and delays nobody else. */
function passStream(exchange: Exchange, answer: IncomingMessage): void {
  const socket = exchange.startStream(passedHeaders(answer));
  socket.setTimeout(stallMs, () => {
    if (socket.writableLength > 0) socket.destroy();
  });
  // Node notices a closed connection only while it reads, and a stream may send nothing for a long time.
  socket.resume().once('end', () => socket.destroy());
  socket.once('close', () => answer.destroy());
  answer.once('close', () => {
    if (!answer.complete) socket.destroy();
  });
  answer.pipe(socket);
}

function headersOf(exchange: Exchange): Record<string, string> {
  const headers: Record<string, string> = {
    host: exchange.header('host') ?? 'localhost',
    'x-forwarded-for': exchange.address,
    'x-real-ip': exchange.address,
  };
  for (const name of passedOn) {
    const value = exchange.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
