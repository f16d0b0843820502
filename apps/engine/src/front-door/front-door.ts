import { randomBytes } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { ListenerState } from '@weir/engine-api';
import { type Config, descriptorLimit, type Listen, type Log } from '@weir/plane';
import { sessionIdContext, tlsOptions, tlsProtocols } from '../delivery/secure-options.ts';
import { CallerReader } from '../http/caller.ts';
import { readOrigin } from '../http/cors.ts';
import { type Exchange, HttpExchange } from '../http/exchange.ts';
import { broken, findRefusal, notPublished, parseFailure, wrongMethod } from '../http/failures.ts';
import { HandshakePace } from '../http/handshake-pace.ts';
import { edgeHeader, MediaReplies } from '../http/media-replies.ts';
import type { HttpRequest, HttpResponse } from '../http/messages.ts';
import { Reply } from '../http/reply.ts';
import type { Delivery } from '../hub/fan-out/delivery.ts';
import { listeningPort, openTcpPort } from '../servers/tcp-port.ts';
import { Certificate } from './certificate.ts';
import { ControlProxy } from './control/control-proxy.ts';
import { FastPath } from './fast-path/fast-path.ts';
import type { FastPathExchange } from './fast-path/fast-path-exchange.ts';
import type { Http2Call } from './http2/http2-connections.ts';
import { Http2Door } from './http2/http2-door.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { OpenConnections } from './open-connections.ts';
import { RequestPipeline } from './request-pipeline.ts';
import { chooseRoute, type Destination } from './route.ts';
import { SecureDelivery } from './secure-delivery.ts';

/** Answers the requests of one destination; its headers go out through `reply`, which adds those of every response. */
type Serve = (req: HttpRequest, res: HttpResponse, reply: Reply) => void;

export interface FrontDoorOptions {
  readonly config: Pick<Config, 'version' | 'dataDir' | 'http' | 'https' | 'extraHttp' | 'trustedProxies'>;
  /** The control plane's private socket. */
  readonly controlSocket: string;
  readonly log: Log;
  /** Media servers of this process; without one its paths hold nothing. */
  readonly rtc?: Serve;
  readonly media?: (exchange: Exchange) => void;
  /** Processes that may send large answers. */
  readonly delivery?: Delivery;
  readonly limits?: Partial<Limits>;
  readonly certificatePollMs?: number;
}

/** The rest is for publishers, connections to the control plane, files and children. */
const shareOfDescriptors = 0.5;
/** Every public HTTP port: decides who answers, and keeps what is hostile or broken away from them. */
export class FrontDoor {
  readonly #options: FrontDoorOptions;
  readonly #limits: Limits;
  readonly #reply: Reply;
  readonly #mediaReplies: MediaReplies;
  readonly #callers: CallerReader;
  readonly #proxy: ControlProxy;
  readonly #connections: OpenConnections;
  readonly #turns: RequestPipeline;
  readonly #fastPath: FastPath;
  readonly #http2: Http2Door;
  readonly #refused = new WeakSet<Duplex>();
  readonly #servers: Readonly<Record<Destination, Serve>>;
  readonly #certificate: Certificate;
  readonly #http: Listener;
  readonly #https: Listener;
  readonly #secureDelivery: SecureDelivery | undefined;
  readonly #extraHttp: Listener;
  #hasCertificate = false;
  #closing: Promise<void> | undefined;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
    const { config, controlSocket, log } = options;
    const maxConnections = Math.floor(Math.min(defaultLimits.maxConnections, descriptorLimit() * shareOfDescriptors));
    this.#limits = { ...defaultLimits, maxConnections, ...options.limits };
    this.#reply = new Reply(config.version);
    this.#mediaReplies = new MediaReplies(config.version);
    this.#callers = new CallerReader(config.trustedProxies);
    this.#proxy = new ControlProxy({ socketPath: controlSocket, reply: this.#reply, limits: this.#limits, log });
    this.#connections = new OpenConnections(this.#limits.maxConnections);
    this.#turns = new RequestPipeline({
      serve: (req, res) => this.#serve(req, res),
      maxWaiting: this.#limits.maxPipelined,
      connections: this.#connections,
    });
    const nothing: Serve = (_req, res, reply) => reply.fail(res, notPublished);
    this.#servers = {
      control: (req, res) => this.#proxy.forward(req, res, this.#callers.read(req)),
      rtc: (req, res) => (options.rtc ?? nothing)(req, res, this.#mediaReplyTo(req)),
      media: (req, res) => {
        const tools = { reply: this.#mediaReplyTo(req), callers: this.#callers };
        this.#serveMedia(new HttpExchange(req, res, tools));
      },
    };
    this.#fastPath = new FastPath({
      reply: this.#reply,
      mediaReplies: this.#mediaReplies,
      callers: this.#callers,
      headersMs: this.#limits.headersMs,
      keepAliveMs: this.#limits.keepAliveMs,
      isMedia: (method, url) => chooseRoute(method, url).to === 'media',
      serve: (exchange) => this.#serveMedia(exchange),
      isCall: ControlProxy.isCall,
      forward: (exchange) => this.#forwardPlain(exchange),
      connections: this.#connections,
      delivery: options.delivery,
    });
    this.#http2 = new Http2Door({
      limits: this.#limits,
      callers: this.#callers,
      connections: this.#connections,
      serve: (call) => this.#serveHttp2(call),
      log,
    });
    const ticketKeys = randomBytes(48);
    if (options.delivery)
      this.#secureDelivery = new SecureDelivery({
        delivery: options.delivery,
        path: join(dirname(controlSocket), 'secure.sock'),
        log,
      });
    const secure = createHttpsServer({
      ...this.#serverOptions(),
      ...tlsOptions,
      ticketKeys,
      sessionIdContext,
      ALPNProtocols: tlsProtocols,
      handshakeTimeout: this.#limits.headersMs,
    });
    this.#http = this.#listener(createHttpServer(this.#serverOptions()));
    this.#extraHttp = this.#listener(createHttpServer(this.#serverOptions()));
    this.#https = this.#listener(secure);
    this.#certificate = new Certificate({
      directory: join(config.dataDir, 'config'),
      log,
      pollMs: options.certificatePollMs,
      onPair: (pair) => {
        secure.setSecureContext({ ...tlsOptions, ...pair, ticketKeys, sessionIdContext });
        const handshakeMs = this.#limits.headersMs;
        this.#secureDelivery?.set({ ...pair, ticketKeys: ticketKeys.toString('base64'), handshakeMs });
        this.#hasCertificate = true;
        log.info('certificate loaded');
      },
    });
  }

  get httpPort(): number {
    return this.#http.port;
  }

  get httpsPort(): number {
    return this.#https.port;
  }

  get extraHttpPort(): number {
    return this.#extraHttp.port;
  }

  listeners(): ListenerState[] {
    const plain = [this.#http, this.#extraHttp].filter(({ port }) => port > 0);
    const note = this.#hasCertificate ? '' : 'no-certificate';
    return [
      ...plain.map(({ port }): ListenerState => ({ protocol: 'http', port, ready: true, note: '' })),
      { protocol: 'https', port: this.#https.port, ready: this.#https.port > 0 && this.#hasCertificate, note },
    ];
  }

  async open(): Promise<void> {
    const { http, https, extraHttp } = this.#options.config;
    try {
      await this.#certificate.open();
      await this.#http.open(http, 'MGMT_LISTEN');
      await this.#https.open(https, 'HTTPS_LISTEN');
      if (extraHttp) await this.#extraHttp.open(extraHttp, 'PLATFORM_LISTEN');
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const listeners = [this.#http, this.#https, this.#extraHttp];
    this.#fastPath.close();
    await this.#http2.close();
    await Promise.all(listeners.map((listener) => listener.close(this.#limits.closeMs)));
    this.#secureDelivery?.close();
    this.#proxy.close();
    await this.#certificate.close();
  }

  #serverOptions() {
    const { headersMs, keepAliveMs, maxHeaderBytes } = this.#limits;
    return {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersMs,
      keepAliveTimeout: keepAliveMs,
      // Uploads may take hours; a body that stops coming has a limit of its own.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(1000, headersMs),
      // Checked by refusalOf, whose answer carries our headers.
      requireHostHeader: false,
    };
  }

  #listener(server: Server): Listener {
    // A count would drop headers silently; their total size is limited.
    server.maxHeadersCount = 0;
    const onRequest = (req: IncomingMessage, res: ServerResponse) => this.#turns.add(req, res);
    server.on('request', onRequest);
    server.on('checkContinue', onRequest);
    server.on('checkExpectation', onRequest);
    server.on('connect', (_req, socket) => this.#reply.failOnSocket(socket, wrongMethod));
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#refuse(error, socket));
    const isSecure = server instanceof HttpsServer;
    if (isSecure) {
      new HandshakePace(this.#limits.headersMs).install(server);
      this.#secureDelivery?.install(server);
    }
    this.#fastPath.install(server, isSecure ? 'secureConnection' : 'connection');
    if (isSecure) this.#http2.install(server);
    // Runs before any other handler of the connection.
    server.prependListener('connection', (socket: Socket) => {
      if (isSecure) this.#connections.admitShaking(socket);
      else this.#connections.admit(socket);
    });
    if (isSecure) server.prependListener('secureConnection', (socket: Socket) => this.#connections.shaken(socket));
    return new Listener(server, this.#options.log);
  }

  #serveMedia(exchange: Exchange): void {
    try {
      if (this.#options.media) this.#options.media(exchange);
      else exchange.fail(notPublished);
    } catch (error) {
      this.#failed(exchange, error);
    }
  }

  #forwardPlain(exchange: FastPathExchange): void {
    try {
      this.#proxy.forwardPlain(exchange, this.#callers);
    } catch (error) {
      this.#failed(exchange, error);
    }
  }

  #failed(exchange: Exchange, error: unknown): void {
    this.#options.log.error({ err: error }, 'request failed');
    if (exchange.isOver) exchange.destroy();
    else exchange.fail(broken);
  }

  /** A fault in one answer must not end the process, and with it every stream. */
  #serve(req: IncomingMessage, res: ServerResponse): void {
    res.once('finish', () => this.#linger(req));
    if (hasBody(req)) endAfterBody(req);
    this.#answerSafely(req, res);
  }

  #serveHttp2({ head, toExchange, toMessages }: Http2Call): void {
    const { to } = chooseRoute(head.method, head.url);
    if (to === 'media' && !findRefusal(head)) {
      this.#serveMedia(toExchange(this.#mediaReplyTo(head), this.#callers.read(head).address));
      return;
    }
    const { req, res } = toMessages();
    this.#answerSafely(req, res);
  }

  #answerSafely(req: HttpRequest, res: HttpResponse): void {
    try {
      this.#answer(req, res);
    } catch (error) {
      this.#options.log.error({ err: error }, 'request failed');
      if (res.headersSent) res.destroy();
      else this.#reply.fail(res, broken);
    }
  }

  #answer(req: HttpRequest, res: HttpResponse): void {
    // Upgrades are not supported: the request is answered as it stands, and following bytes are not read as another.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    const route = chooseRoute(req.method ?? '', req.url ?? '');
    const refusal = findRefusal(req) ?? (route.to === 'refused' ? route.failure : undefined);
    // A refused sender gets no second request on the connection. `100 Continue` comes from the control plane alone: after any other
    // answer the next bytes could be a body or a request.
    if (refusal || (route.to !== 'control' && req.headers.expect !== undefined)) res.shouldKeepAlive = false;
    if (refusal) this.#reply.fail(res, refusal);
    else if (route.to === 'preflight') this.#preflight(req, res);
    else if (route.to === 'redirect') this.#reply.redirect(res, route.location);
    else if (route.to !== 'refused') this.#servers[route.to](req, res, this.#reply);
  }

  #preflight({ headers, url = '' }: HttpRequest, res: HttpResponse): void {
    const { to } = chooseRoute('GET', url);
    const isMedia = to === 'media' || to === 'rtc';
    const from = isMedia ? readOrigin(headers.origin) : undefined;
    this.#reply.preflight(res, { from, headers: headers['access-control-request-headers'] });
  }

  #mediaReplyTo({ headers }: Pick<HttpRequest, 'headers'>): Reply {
    const edge = headers[edgeHeader];
    return this.#mediaReplies.of(headers.origin, Array.isArray(edge) ? edge[0] : edge);
  }

  /** The answer is out while the body still comes: read it away for a while, then end the connection. */
  #linger(req: IncomingMessage): void {
    if (req.complete) return;
    const deadline = setTimeout(() => req.socket.destroy(), this.#limits.lingerMs);
    req.once('close', () => clearTimeout(deadline));
    req.resume();
  }

  /** The parser gave up on a connection. Later bytes of the same connection fail again and are not answered. */
  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    const failure = parseFailure(error);
    if (failure && socket.writable && !this.#turns.isAnswering(socket)) this.#reply.failOnSocket(socket, failure);
    else socket.destroy();
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Delays the end of a connection with `Connection: close` while its last body still comes. Node destroys it once the answer is written;
 * unread bytes would turn that into a reset, which can overtake the answer (RFC 9112, 9.6).
 */
function endAfterBody(req: IncomingMessage): void {
  const { socket } = req;
  socket.destroySoon = () => {
    if (req.complete || req.destroyed) {
      Socket.prototype.destroySoon.call(socket);
      return;
    }
    socket.end();
    req.once('close', () => socket.destroy());
  };
}

/** A server on one public port: opens with an error a person can act on, closes within a given time. */
class Listener {
  readonly #server: Server;
  readonly #log: Log;
  readonly #sockets = new Set<Socket>();
  #closing: Promise<void> | undefined;

  constructor(server: Server, log: Log) {
    this.#server = server;
    this.#log = log;
    // Includes connections without HTTP: an unfinished handshake, a refused CONNECT.
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (_req, res) => {
      res.once('close', () => {
        // A kept connection whose last response just ended becomes idle one turn later.
        if (this.#closing) setImmediate(() => server.closeIdleConnections());
      });
    });
  }

  get port(): number {
    return listeningPort(this.#server);
  }

  open(listen: Listen, variable: string): Promise<void> {
    return openTcpPort(this.#server, listen, variable, this.#log);
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    if (!this.#server.listening) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeIdleConnections();
    const deadline = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await promise;
    clearTimeout(deadline);
  }
}
