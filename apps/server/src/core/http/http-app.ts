import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type DataOf, type Endpoint, endpoints, isDemoRead, limits } from '@weir/contract';
import { privateHeaders } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import type * as z from 'zod';
import { WeirError } from '../errors.ts';
import { sameText } from '../same-text.ts';
import { parseJsonBody, readBody, validateBody } from './body.ts';
import { type Call, type Caller, isLocalCall, isViaStandby, readClientAddress, readOrigin } from './call.ts';
import { type KnowsGuest, RefusedBody, SharedBodies } from './large-bodies.ts';

/** Any method is welcome on every call: the reference server never looked at it, and clients differ. */
export const anyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Tells who holds a credential; throws `token` when it is missing or worthless. */
export interface Authoriser {
  authorise(credential: Credential): Promise<Caller>;
}

export interface Credential {
  readonly authorization: string | undefined;
  readonly token: string | undefined;
  /** The set-up code counts too, while there is no password. */
  readonly orSetupCode?: boolean;
}

/** Data for the envelope. Where the contract has none, a handler need not return any. */
// biome-ignore lint/suspicious/noConfusingVoidType: what a function returns that returns nothing.
type Answer<E extends Endpoint> = [DataOf<E>] extends [null] ? void : DataOf<E>;

type Handler<E extends Endpoint> = (body: z.output<E['body']>, call: Call) => Answer<E> | Promise<Answer<E>>;

interface StreamFacts {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly contentType: string | undefined;
  /** Content length, where the sender gives it. */
  readonly length: number | undefined;
}

/** For bodies that are too large for memory: the handler reads them as they come. */
type StreamHandler<E extends Endpoint> = (body: Readable, facts: StreamFacts) => DataOf<E> | Promise<DataOf<E>>;

/** For what is seen rather than read. */
type PictureHandler<E extends Endpoint> = (body: z.output<E['body']>) => Promise<Buffer | DataOf<E>>;

interface SentFile {
  /** ASCII without quotes. */
  readonly name: string;
  readonly type: string;
  readonly content: Readable;
}

interface RouteOptions {
  readonly bodyBytes?: number;
  /** Checks the sender by its headers before a large body is read. */
  readonly knowsGuest?: KnowsGuest;
  /** True if several callers receive the same object; it is serialised once. */
  readonly isShared?: boolean;
}

const contractPaths: ReadonlySet<string> = new Set(endpoints.map(({ path }) => path));

/** Slightly longer than the front door's limit, which therefore applies first. */
const closeGraceMs = 1500;

/** No route has a schema of Fastify's: the contract's are read before. Its own compilers would only take memory. */
const schemaController: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema },
};

function refuseSchema(): never {
  throw new Error('schemas belong in the contract');
}

/** The HTTP side of the control plane: envelope, errors, credentials. Features add their routes to it. */
export class HttpApp {
  readonly fastify: FastifyInstance;
  readonly #authoriser: Authoriser;
  readonly #demoKey: string;
  readonly #paths = new Set<string>();
  readonly #listeners: ((endpoint: Endpoint, body: unknown) => void)[] = [];
  readonly #written = new WeakMap<object, Buffer>();
  readonly #largeBodies = new SharedBodies();
  /** `server` of every answer: tells two starts apart, and nothing about the machine. */
  readonly #bootId = randomInt(1, 2 ** 31);

  /** `demoKey`: of a demonstration, where other callers may only read. */
  constructor(log: Log, authoriser: Authoriser, demoKey = '') {
    this.#authoriser = authoriser;
    this.#demoKey = demoKey;
    this.fastify = fastify({
      logger: false,
      // More than the front door lets in, because it adds headers of its own.
      http: { maxHeaderSize: 32 * 1024 },
      exposeHeadRoutes: false,
      routerOptions: { maxParamLength: 1024 },
      schemaController,
      rewriteUrl: (request) => this.#asPost(request),
    });
    this.fastify.removeAllContentTypeParsers();
    // The content type is ignored on purpose: scripts send JSON under every name.
    this.fastify.addContentTypeParser('*', async (_request: FastifyRequest, stream: IncomingMessage) =>
      parseJsonBody(await readBody(stream, limits.bodyBytes)),
    );
    this.fastify.setNotFoundHandler(() => {
      throw new WeirError('not_found', 'no resource exists at this path');
    });
    this.fastify.setErrorHandler((error, request, reply) => {
      const known = toWeirError(error);
      const facts = { path: request.routeOptions.url, kind: known.kind, reason: known.message };
      if (known.kind === 'internal') log.error({ ...facts, err: error }, 'call failed');
      else log.debug(facts, 'call refused');
      if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds));
      const message = known.kind === 'internal' ? 'internal error, see the server log' : known.message;
      const { why } = known;
      return send(reply, known.status, { code: known.code, data: { message, ...(why && { why }) } });
    });
  }

  /** Serves one endpoint of the contract: credential first, then the body's fields, then the handler. */
  route<E extends Endpoint>(
    endpoint: E,
    handler: Handler<E>,
    { bodyBytes, knowsGuest, isShared = false }: RouteOptions = {},
  ): void {
    if (bodyBytes === undefined) {
      this.#route(this.fastify, endpoint, handler, isShared);
      return;
    }
    // In a scope of its own, with another limit for bodies.
    this.fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', async (request: FastifyRequest, stream: IncomingMessage) => {
        const length = Number(request.headers['content-length'] ?? Number.NaN);
        return length <= limits.bodyBytes
          ? parseJsonBody(await readBody(stream, limits.bodyBytes))
          : this.#largeBodies.read(stream, {
              headers: request.headers,
              address: readClientAddress(request),
              limitBytes: bodyBytes,
              knowsGuest,
            });
      });
      this.#route(scope, endpoint, handler, isShared);
    });
  }

  /** Calls back after each call of the administrator that succeeded. */
  onDone(listener: (endpoint: Endpoint, body: unknown) => void): void {
    this.#listeners.push(listener);
  }

  /** Every method of a call is one route: six trees of all paths would be a megabyte. */
  #asPost(request: IncomingMessage): string {
    const url = request.url ?? '/';
    if (this.#paths.has(url.split('?', 1)[0] ?? '')) request.method = 'POST';
    return url;
  }

  #route<E extends Endpoint>(scope: FastifyInstance, endpoint: E, handler: Handler<E>, isShared: boolean): void {
    this.#paths.add(endpoint.path);
    scope.route({
      method: 'POST',
      url: endpoint.path,
      handler: async (request, reply) => {
        if (request.body instanceof RefusedBody) throw request.body.error;
        const caller = needsCredential(endpoint, request.body)
          ? await this.authorise(request, reply, { orSetupCode: endpoint.access === 'setup' })
          : undefined;
        const call: Call = {
          caller,
          address: readClientAddress(request),
          isLocal: () => isLocalCall(request),
          get origin() {
            return readOrigin(request);
          },
          viaStandby: isViaStandby(request),
        };
        const body = validateBody<E['body']>(endpoint.body, request.body ?? {});
        const data = await handler(body, call);
        if (caller) for (const listener of this.#listeners) listener(endpoint, body);
        const answer = { code: 0, data: data ?? null, server: this.#bootId };
        return send(reply, 200, isShared ? this.#writeOnce(answer) : answer);
      },
    });
  }

  #writeOnce(answer: { readonly data: object | null }): object {
    const key = answer.data ?? answer;
    const bytes = this.#written.get(key) ?? Buffer.from(textOf(answer));
    this.#written.set(key, bytes);
    return bytes;
  }

  /** Serves an endpoint that answers with a JPEG where there is one, and with its data where there is none. */
  picture<E extends Endpoint>(endpoint: E, handler: PictureHandler<E>): void {
    this.#paths.add(endpoint.path);
    this.fastify.route({
      method: 'POST',
      url: endpoint.path,
      handler: async (request, reply) => {
        await this.authorise(request, reply);
        const answer = await handler(validateBody<E['body']>(endpoint.body, request.body ?? {}));
        if (!Buffer.isBuffer(answer)) return send(reply, 200, { code: 0, data: answer, server: this.#bootId });
        const headers = {
          'content-type': 'image/jpeg',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        };
        return reply.headers(headers).send(answer);
      },
    });
  }

  /** Serves an endpoint that answers with a file, made while it is sent. The credential must be in the header. */
  file<E extends Endpoint>(endpoint: E, handler: (body: z.output<E['body']>) => Promise<SentFile>): void {
    this.#paths.add(endpoint.path);
    this.fastify.route({
      method: 'POST',
      url: endpoint.path,
      handler: async (request, reply) => {
        await this.authorise(request, reply);
        const { name, type, content } = await handler(validateBody<E['body']>(endpoint.body, request.body ?? {}));
        return reply
          .headers({
            'content-type': type,
            'content-disposition': `attachment; filename="${name}"`,
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
          })
          .send(content);
      },
    });
  }

  /** Serves an endpoint whose body is bytes, read by the handler while they come. The credential must be in the header. */
  stream<E extends Endpoint>(endpoint: E, handler: StreamHandler<E>): void {
    // In a scope of its own, where bodies are not read before the handler runs.
    this.fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _stream, done) => done(null));
      scope.route({
        method: anyMethod,
        url: endpoint.path,
        handler: async (request, reply) => {
          await this.authorise(request, reply, { orSetupCode: endpoint.access === 'setup' });
          const params = request.params as Record<string, string | undefined>;
          const { 'content-type': contentType, 'content-length': given } = request.headers;
          const length = given === undefined ? undefined : Number(given);
          const data = await handler(request.raw, { params, contentType, length });
          return send(reply, 200, { code: 0, data, server: this.#bootId });
        },
      });
    });
  }

  /** Refuses new calls and lets running ones end, but not for long: a client that hangs must not hold up the end of all. */
  async close(graceMs = closeGraceMs): Promise<void> {
    const cut = setTimeout(() => this.fastify.server.closeAllConnections(), graceMs);
    await this.fastify.close();
    clearTimeout(cut);
  }

  /** For routes outside the contract's envelope. The credential: header, else the token of body or query. */
  async authorise(
    request: FastifyRequest,
    reply: FastifyReply,
    { queryToken, orSetupCode = false }: { queryToken?: string | undefined; orSetupCode?: boolean } = {},
  ): Promise<Caller> {
    const isDemo = this.#demoKey !== '';
    if (isDemo && sameText(request.headers.authorization ?? '', `Bearer ${this.#demoKey}`)) return { kind: 'script' };
    const { body } = request;
    const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : queryToken;
    const caller = await this.#authoriser.authorise({
      authorization: request.headers.authorization,
      token: typeof token === 'string' && token !== '' ? token : undefined,
      orSetupCode,
    });
    if (isDemo) this.#assertDemoRead(request);
    // Tells the front door that the caller is signed in; clients do not see this header.
    reply.header(privateHeaders.accepted, '1');
    return caller;
  }

  /** Every call with authority passes here. Calls of the contract are listed by what they do, others by their method. */
  #assertDemoRead({ routeOptions, method, body }: FastifyRequest): void {
    const path = routeOptions.url ?? '';
    const isRead = contractPaths.has(path) ? isDemoRead(path, body) : method === 'GET' || method === 'HEAD';
    if (!isRead) throw new WeirError('demo', 'this is a demonstration, nothing can be changed');
  }

  /** For players of older clients, which have the API secret in their address: as if it were in the header. */
  async authoriseSecret(reply: FastifyReply, secret: string): Promise<void> {
    await this.#authoriser.authorise({ authorization: `Bearer ${secret}`, token: undefined });
    reply.header(privateHeaders.accepted, '1');
  }
}

function needsCredential({ access }: Endpoint, body: unknown): boolean {
  const { roomToken } = (body ?? {}) as { readonly roomToken?: unknown };
  return (
    access === 'admin' || access === 'setup' || (access === 'room' && (roomToken === undefined || roomToken === ''))
  );
}

function textOf(body: object): string {
  // Escaped as the reference server does, so that an answer pasted into a page stays text.
  return JSON.stringify(body).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

const asItIs = (text: unknown) => String(text);

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return (
    reply
      .code(status)
      .header('content-type', 'application/json')
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      // Without it the framework would extend the content type, which clients compare. A text goes out with its headers in one piece.
      .serializer(asItIs)
      .send(Buffer.isBuffer(body) ? body : textOf(body))
  );
}

function toWeirError(error: unknown): WeirError {
  if (error instanceof WeirError) return error;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new WeirError('invalid_input', 'the request is not valid', { cause: error });
  }
  return new WeirError('internal', 'unexpected', { cause: error });
}
