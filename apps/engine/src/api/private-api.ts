import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer, listenOnSocket } from '@weir/plane';
import type { ListenerState } from '../servers/protocol-server.ts';
import type { WorkerDeaths } from '../workers/engine/worker-supervisor.ts';
import type { Identity } from './identity.ts';
import { srsVersion } from './srs-version.ts';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface PrivateApiOptions {
  readonly socketPath: string;
  readonly version: string;
  readonly identity: Identity;
  readonly listeners: () => readonly ListenerState[];
  /** Version of libsrt; empty until it is loaded. */
  readonly srtVersion?: () => string;
  /** Workers that ended lately without being asked. */
  readonly deaths?: () => readonly WorkerDeaths[];
  /** The rest of SRS's API; undefined for a path it does not have. */
  readonly srs?: (request: ApiRequest) => Answer | undefined;
  /** Queries that only Weir has, by path; undefined answers become 404. */
  readonly queries?: Readonly<Record<string, Query>>;
  /** Commands of the control plane, by path. */
  readonly commands?: Readonly<Record<string, Command>>;
}

export type Query = (query: URLSearchParams) => Record<string, unknown> | undefined;

/** Command with a JSON body. */
export interface Command {
  readonly method: 'PUT' | 'POST';
  readonly mostBytes: number;
  /** Throws on a body it cannot use. False when there is nothing that it could be about. */
  readonly apply: (body: unknown) => boolean;
}

const callbackPattern = /^[A-Za-z0-9_.$]{1,128}$/;
/** SRS knows GET alone. POST is for callers that send all their questions so, as the control plane's own do. */
export const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** API of this process for the control plane, in SRS's dialect, on a private socket. */
export class PrivateApi {
  readonly #options: PrivateApiOptions;
  readonly #startedAt = new Date();
  readonly #server: Server;

  constructor(options: PrivateApiOptions) {
    this.#options = options;
    this.#server = createServer((req, res) => this.#serve(req, res));
  }

  async open(): Promise<void> {
    await listenOnSocket(this.#server, this.#options.socketPath);
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    const [path = '', text = ''] = (req.url ?? '').split('?', 2);
    const query = new URLSearchParams(text);
    const callback = query.get('callback');
    if (callback !== null && !callbackPattern.test(callback)) {
      send(res, this.#failure(400, 'the callback name is not valid'));
      return;
    }
    const { commands = {} } = this.#options;
    const take = Object.hasOwn(commands, path) ? commands[path] : undefined;
    if (take) this.#take(take, req, res);
    else send(res, this.#answer({ method: req.method ?? 'GET', path, query }), callback ?? undefined);
  }

  #answer(request: ApiRequest): Answer {
    const { method, path } = request;
    const isRead = readMethods.has(method);
    if (path === '/api/v1/versions' || path === '/weir/v1/health') {
      if (!isRead) return this.#failure(405, 'Method Not Allowed');
      return { status: 200, body: path === '/weir/v1/health' ? this.#health() : this.#versions() };
    }
    const { queries = {} } = this.#options;
    const data = isRead && Object.hasOwn(queries, path) ? queries[path]?.(request.query) : undefined;
    if (data) return { status: 200, body: { code: 0, data } };
    const answer = path.startsWith('/api/v1/') ? this.#options.srs?.(request) : undefined;
    if (!answer) return this.#failure(404, 'Not Found');
    return { ...answer, body: { ...answer.body, ...this.#options.identity } };
  }

  #take({ method, mostBytes, apply }: Command, req: IncomingMessage, res: ServerResponse): void {
    if (req.method !== method) {
      send(res, this.#failure(405, 'Method Not Allowed'));
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
    });
    req.on('end', () => {
      try {
        if (bytes > mostBytes) throw new Error('too large');
        const isDone = apply(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        send(res, isDone ? { status: 200, body: { code: 0 } } : this.#failure(404, 'Not Found'));
      } catch {
        send(res, this.#failure(422, 'the request body is not valid'));
      }
    });
  }

  #versions(): Record<string, unknown> {
    return { code: 0, ...this.#options.identity, data: { ...srsVersion, weir: this.#options.version } };
  }

  #health(): Record<string, unknown> {
    const { listeners, srtVersion, deaths } = this.#options;
    const data = {
      startedAt: this.#startedAt.toISOString(),
      listeners: listeners(),
      srtVersion: srtVersion?.() ?? '',
      ...(deaths && { deaths: deaths() }),
    };
    return { code: 0, data };
  }

  #failure(status: number, message: string): Answer {
    return { status, body: { code: status, ...this.#options.identity, data: { message } } };
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
