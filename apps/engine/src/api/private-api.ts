import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type EngineCall, type EngineHealth, engineApi, missingCode } from '@weir/engine-api';
import { closeServer, listenOnSocket } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import { MalformedMessage } from '@weir/streams';
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
  readonly health: () => Omit<EngineHealth, 'startedAt'>;
  /** The rest of SRS's API; undefined for a path it does not have. */
  readonly srs?: (request: ApiRequest) => Answer | undefined;
}

/** A served call of `engineApi`: takes the raw request, returns the answer to encode. */
interface ServedCall {
  readonly method: string;
  readonly mostBytes: number;
  readonly handle: (request: unknown) => object | undefined;
}

const callbackPattern = /^[A-Za-z0-9_.$]{1,128}$/;
/** Methods of queries. SRS itself has only GET; some callers send every query by POST. */
export const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** API of this process for the control plane on a private socket: the calls of `engineApi`, and SRS's API. */
export class PrivateApi {
  readonly #options: PrivateApiOptions;
  readonly #calls = new Map<string, ServedCall>();
  readonly #server: Server;

  constructor(options: PrivateApiOptions) {
    this.#options = options;
    const startedAt = new Date().toISOString();
    this.serve(engineApi.health, () => ({ startedAt, ...options.health() }));
    this.#server = createServer((req, res) => this.#serve(req, res));
  }

  /** Serves one call. `handle` returns undefined if the subject of the request does not exist. */
  serve<Request, Result extends object>(
    { method, path, mostBytes, decodeRequest }: EngineCall<Request, Result>,
    handle: (request: Request) => Result | undefined,
  ): void {
    this.#calls.set(path, { method, mostBytes, handle: (request) => handle(decodeRequest(request)) });
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
    const call = this.#calls.get(path);
    if (call) {
      this.#serveCall(call, query, req, res);
      return;
    }
    const callback = query.get('callback');
    if (callback !== null && !callbackPattern.test(callback)) {
      send(res, this.#failure(400, 'the callback name is not valid'));
      return;
    }
    send(res, this.#answerSrs({ method: req.method ?? 'GET', path, query }), callback ?? undefined);
  }

  #serveCall(
    { method, mostBytes, handle }: ServedCall,
    query: URLSearchParams,
    req: IncomingMessage,
    res: ServerResponse,
  ) {
    if (req.method !== method) {
      send(res, this.#failure(405, 'Method Not Allowed'));
      return;
    }
    const answer = (read: () => unknown) =>
      send(
        res,
        this.#answerCall(() => handle(read())),
      );
    if (method === 'GET') {
      answer(() => Object.fromEntries(query));
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
    });
    req.on('end', () =>
      answer(() => {
        if (bytes > mostBytes) throw new MalformedMessage('', `must be at most ${mostBytes} bytes`);
        return parseJson(Buffer.concat(chunks).toString('utf8'));
      }),
    );
  }

  /** Answers a call. An error in it must not end the engine. */
  #answerCall(answer: () => object | undefined): Answer {
    try {
      const data = answer();
      return data ? { status: 200, body: { code: 0, data } } : this.#failure(missingCode, 'Not Found');
    } catch (error) {
      return this.#failure(error instanceof MalformedMessage ? 422 : 500, errorMessage(error));
    }
  }

  #answerSrs(request: ApiRequest): Answer {
    const { method, path } = request;
    if (path === '/api/v1/versions') {
      return readMethods.has(method)
        ? { status: 200, body: this.#versions() }
        : this.#failure(405, 'Method Not Allowed');
    }
    const answer = path.startsWith('/api/v1/') ? this.#options.srs?.(request) : undefined;
    if (!answer) return this.#failure(404, 'Not Found');
    return { ...answer, body: { ...answer.body, ...this.#options.identity } };
  }

  #versions(): Record<string, unknown> {
    return { code: 0, ...this.#options.identity, data: { ...srsVersion, weir: this.#options.version } };
  }

  #failure(status: number, message: string): Answer {
    return { status, body: { code: status, ...this.#options.identity, data: { message } } };
  }
}

/** Sends an answer, by JSONP for SRS's console. The comment in front keeps a chosen callback name from being read as another file format. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedMessage('', 'must be JSON');
  }
}
