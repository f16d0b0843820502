import type { BodyOf, DataOf, Endpoint } from '@weir/contract';
import { readServerEvents, type ServerEvent } from './server-events.ts';

export type { ServerEvent } from './server-events.ts';

/** A failed call. Without `status` no response arrived. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly url: string;
  readonly status: number | undefined;
  readonly statusText: string;
  /** Error code of our API, if the body has one. */
  readonly code: number | undefined;
  /** Parsed JSON, or text. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
  /** Kind and figure of the server's message, for a translation. */
  readonly why: Why | undefined;

  constructor(message: string, facts: { url: string; response?: Response; body?: unknown; cause?: unknown }) {
    super(message, { cause: facts.cause });
    this.url = facts.url;
    this.status = facts.response?.status;
    this.statusText = facts.response?.statusText ?? '';
    this.body = facts.body;
    this.code = errorNumber(facts.body);
    this.why = parseWhy(facts.body);
    const retryAfter = Number(facts.response?.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  }
}

interface Why {
  readonly kind: string;
  readonly fact: string;
}

interface ClientOptions {
  /** Origin of the server; empty for the page's own. */
  baseUrl?: string;
  /** Read before every call, so that signing in or out takes effect at once. */
  bearer?: () => string | undefined;
  /** Extra headers, read before every call. */
  headers?: () => Record<string, string>;
  fetch?: typeof fetch;
}

interface CallOptions {
  signal?: AbortSignal;
  /** `false` omits the Authorization header. */
  authorized?: boolean;
  headers?: Record<string, string>;
}

interface ListenOptions extends CallOptions {
  /** Id of the last received event. */
  lastId?: string;
  /** Called for all received text, heartbeats included. */
  onText?: () => void;
}

/** Default of browser HTTP clients. */
const acceptedTypes = 'application/json, text/plain, */*';

export class Client {
  readonly #baseUrl: string;
  readonly #bearer: () => string | undefined;
  readonly #headers: () => Record<string, string>;
  readonly #fetch: typeof fetch;

  constructor({ baseUrl = '', bearer, headers, fetch: send = globalThis.fetch }: ClientOptions = {}) {
    this.#baseUrl = baseUrl;
    this.#bearer = bearer ?? (() => undefined);
    this.#headers = headers ?? (() => ({}));
    this.#fetch = send;
  }

  /** Calls an endpoint and returns its `data`; throws ApiError otherwise. */
  async call<E extends Endpoint>(endpoint: E, body?: BodyOf<E>, options: CallOptions = {}): Promise<DataOf<E>> {
    return readData<E>(await this.#send(endpoint, toRequest(endpoint, body), options));
  }

  /** Returns the image of an endpoint, or its `data` if there is none. */
  async image<E extends Endpoint>(endpoint: E, body: BodyOf<E>, options: CallOptions = {}): Promise<Blob | DataOf<E>> {
    const answer = await this.#send(endpoint, toRequest(endpoint, body), options);
    const isPicture = answer.response.headers.get('content-type')?.startsWith('image/');
    return isPicture ? answer.response.blob() : readData<E>(answer);
  }

  /** Returns the file that an endpoint answers with, and its name. */
  async file<E extends Endpoint>(
    endpoint: E,
    body: BodyOf<E>,
    options: CallOptions = {},
  ): Promise<{ name: string; content: Blob }> {
    const { response, url } = await this.#send(endpoint, toRequest(endpoint, body), options);
    const [, name] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
    if (name === undefined) throw new ApiError('The response did not come from this server', { url, response });
    // Cut off in the middle, the body rejects.
    const content = await response.blob().catch((cause: unknown) => {
      throw new ApiError('Network Error', { url, cause });
    });
    return { name, content };
  }

  /** Yields the events of an endpoint until the server ends the stream or the signal aborts; throws ApiError otherwise. */
  async *listen(endpoint: Endpoint, options: ListenOptions): AsyncGenerator<ServerEvent> {
    const headers = { accept: 'text/event-stream', ...(options.lastId && { 'last-event-id': options.lastId }) };
    const { url, response } = await this.#send(endpoint, { method: endpoint.method, headers }, options);
    const type = response.headers.get('content-type') ?? '';
    if (!response.body || !type.startsWith('text/event-stream')) {
      await response.body?.cancel();
      throw new ApiError('The response did not come from this server', { url, response });
    }
    yield* readServerEvents(response.body, options.onText);
  }

  async #send(endpoint: Endpoint, init: RequestInit & { headers: Record<string, string> }, options: CallOptions) {
    const url = this.#baseUrl + endpoint.path;
    const bearer = options.authorized === false ? undefined : this.#bearer();
    const send = this.#fetch;
    const authorization = bearer ? { authorization: `Bearer ${bearer}` } : {};
    const headers = { ...init.headers, ...this.#headers(), ...options.headers, ...authorization };
    const request: RequestInit = { ...init, headers, credentials: 'omit' };
    if (options.signal) request.signal = options.signal;
    const response = await send(url, request).catch((cause: unknown) => {
      if (options.signal?.aborted) throw new ApiError('Request aborted', { url, cause });
      throw new ApiError('Network Error', { url, cause });
    });
    if (response.ok) return { url, response };
    const body = await readBody(response);
    throw new ApiError(answerMessage(body) ?? `Request failed with status code ${response.status}`, {
      url,
      response,
      body,
    });
  }
}

function toRequest<E extends Endpoint>({ method }: E, body: BodyOf<E> | undefined) {
  const headers: Record<string, string> = { accept: acceptedTypes };
  if (method !== 'POST') return { method, headers };
  headers['content-type'] = 'application/json';
  return { method, headers, body: JSON.stringify(body ?? {}) };
}

async function readData<E extends Endpoint>({ url, response }: { url: string; response: Response }) {
  const answer = await readBody(response);
  if (typeof answer !== 'object' || answer === null || !('data' in answer) || errorNumber(answer) !== 0) {
    throw new ApiError(answerMessage(answer) ?? 'The response did not come from this server', {
      url,
      response,
      body: answer,
    });
  }
  // Not parsed: the server builds `data` from the same schema, and parsing would cost the browser time.
  return answer.data as DataOf<E>;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => '');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function errorNumber(body: unknown): number | undefined {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number'
    ? body.code
    : undefined;
}

/** Error message of a response of our API. */
export function answerMessage(body: unknown): string | undefined {
  const message = readField(readField(body, 'data'), 'message');
  return typeof message === 'string' ? message : undefined;
}

function parseWhy(body: unknown): Why | undefined {
  const why = readField(readField(body, 'data'), 'why');
  const [kind, fact] = [readField(why, 'kind'), readField(why, 'fact')];
  return typeof kind === 'string' ? { kind, fact: typeof fact === 'string' ? fact : '' } : undefined;
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
