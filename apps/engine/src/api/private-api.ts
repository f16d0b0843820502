import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenOnSocket } from '@weir/plane';
import type { ListenerState } from '../front-door/listener.ts';
import { createIdentity, type Identity } from './identity.ts';

export interface PrivateApiOptions {
  readonly socketPath: string;
  readonly version: string;
  readonly listeners: () => readonly ListenerState[];
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The version of SRS whose HTTP API we speak. */
const srsVersion = { major: 5, minor: 0, revision: 213, version: '5.0.213' };

const callbackPattern = /^[A-Za-z0-9_.$]{1,128}$/;

/** What the control plane asks of this process, in SRS's dialect, on a socket nobody else reaches. */
export class PrivateApi {
  readonly #options: PrivateApiOptions;
  readonly #identity: Identity = createIdentity();
  readonly #startedAt = new Date();
  readonly #server: Server;
  readonly #routes: ReadonlyMap<string, () => Record<string, unknown>>;

  constructor(options: PrivateApiOptions) {
    this.#options = options;
    this.#server = createServer((req, res) => this.#serve(req, res));
    this.#routes = new Map([
      ['/api/v1/versions', () => this.#versions()],
      ['/weir/v1/health', () => this.#health()],
    ]);
  }

  async open(): Promise<void> {
    await listenOnSocket(this.#server, this.#options.socketPath);
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    const [path = '', query = ''] = (req.url ?? '').split('?', 2);
    const callback = new URLSearchParams(query).get('callback');
    if (callback === null) send(res, this.#answer(req.method, path));
    else if (callbackPattern.test(callback)) send(res, this.#answer(req.method, path), callback);
    else send(res, this.#failure(400, 'the callback name is not valid'));
  }

  #answer(method: string | undefined, path: string): Answer {
    const route = this.#routes.get(path);
    if (!route) return this.#failure(404, 'Not Found');
    if (method !== 'GET' && method !== 'HEAD') return this.#failure(405, 'Method Not Allowed');
    return { status: 200, body: route() };
  }

  #versions(): Record<string, unknown> {
    return { code: 0, ...this.#identity, data: { ...srsVersion, weir: this.#options.version } };
  }

  #health(): Record<string, unknown> {
    return { code: 0, data: { startedAt: this.#startedAt.toISOString(), listeners: this.#options.listeners() } };
  }

  #failure(status: number, message: string): Answer {
    return { status, body: { code: status, ...this.#identity, data: { message } } };
  }
}

/** SRS's console calls by JSONP. The comment in front keeps a chosen name from being read as something else. */
function send(res: ServerResponse, { status, body }: Answer, callback?: string): void {
  const json = JSON.stringify(body);
  const text = callback === undefined ? json : `/**/${callback}(${json})`;
  res.writeHead(status, {
    'Content-Type': callback === undefined ? 'application/json' : 'application/javascript',
    'Content-Length': Buffer.byteLength(text),
    'X-Content-Type-Options': 'nosniff',
  });
  res.end(text);
}
