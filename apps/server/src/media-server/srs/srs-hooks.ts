import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { engineHooks, privateHeaders } from '@weir/engine-api';
import { closeServer, type Listen, type Log, StartError } from '@weir/plane';
import { sameText } from '../../core/same-text.ts';

interface Options {
  readonly listen: Listen;
  readonly token: string;
  /** The routes of the control plane. */
  readonly route: (request: IncomingMessage, response: ServerResponse) => void;
  readonly log: Log;
}

const places: ReadonlyMap<string, string> = new Map([
  ['client', engineHooks.client.path],
  ['segment', engineHooks.segment.path],
]);
/** SRS opens a connection for each hook. */
const mostConnections = 1000;

/**
 * Receiver for hooks of a separate SRS. It cannot send a header, so the token is in the path: `/<token>/client` and
 * `/<token>/segment`. This port serves nothing else.
 */
export class SrsHooks {
  readonly #options: Options;
  readonly #server: Server;

  constructor(options: Options) {
    this.#options = options;
    const limits = { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16 * 1024 };
    this.#server = createServer(limits, (request, response) => this.#handle(request, response));
    this.#server.maxConnections = mostConnections;
  }

  /** The port, which the system may have chosen. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async open(): Promise<void> {
    const { host, port } = this.#options.listen;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError(`Port ${port} could not be opened (${error.code}): check WEIR_SRS_HOOKS.`, { cause: error }),
      ),
    );
    this.#server.listen({ port, ...(host !== undefined && { host }) }, resolve);
    await promise;
    this.#server.on('error', (error) => this.#options.log.warn({ err: error }, 'SRS hooks could not be received'));
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const [, token = '', place = '', ...rest] = (request.url ?? '').split('/');
    const path = places.get(place);
    if (!sameText(token, this.#options.token) || path === undefined || rest.length > 0) {
      response.writeHead(404, { connection: 'close', 'content-length': '0' }).end();
      return;
    }
    request.url = path;
    request.headers[privateHeaders.hookToken] = this.#options.token;
    this.#options.route(request, response);
  }
}
