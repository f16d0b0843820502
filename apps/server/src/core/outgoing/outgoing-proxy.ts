import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { sameText } from '../same-text.ts';
import { OutgoingError } from './outgoing-error.ts';
import { type CheckedTarget, checkTarget, parseTarget, type Resolve } from './outgoing-target.ts';
import { takeAnswer } from './take-answer.ts';

const idleMs = 60_000;
/** From the request to the last header of its answer. */
const answerMs = 30_000;
const methods = ['GET', 'HEAD', 'POST'];
/** Of one connection, not of the message (RFC 9110, 7.6.1). */
const hopByHop = /^(?:connection|proxy-.*|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * The way out for programs we run: ffmpeg and yt-dlp follow redirects and playlists by themselves, to wherever those point. Through
 * this proxy each of their requests is resolved, checked and connected as our own are. It listens on loopback, begins with its first
 * user, and knows by the credential in its address which one host the administrator typed: only that may be in the own network.
 */
export class OutgoingProxy {
  readonly #resolve: Resolve | undefined;
  readonly #key = randomBytes(32);
  readonly #sockets = new Set<Duplex>();
  readonly #refusals = new Map<string, string>();
  #listening: Promise<Server> | undefined;

  constructor(resolve?: Resolve) {
    this.#resolve = resolve;
  }

  /** The address to give to a program that is to ask this `name:port`, and whatever is public. */
  async addressFor(host: string): Promise<string> {
    this.#listening ??= this.#listen();
    const { port } = (await this.#listening).address() as AddressInfo;
    const user = Buffer.from(host.toLowerCase()).toString('base64url');
    return `http://${user}:${this.#password(user)}@127.0.0.1:${port}`;
  }

  /** Why a request of the program for this host was last refused, if one was; told once. */
  takeRefusal(host: string): string | undefined {
    const refusal = this.#refusals.get(host.toLowerCase());
    this.#refusals.delete(host.toLowerCase());
    return refusal;
  }

  async close(): Promise<void> {
    const server = await this.#listening;
    if (!server) return;
    for (const socket of this.#sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  async #listen(): Promise<Server> {
    // Whatever a program asks or a server answers ends that conversation, and nothing else.
    const server = createServer((req, res) => void this.#pass(req, res).catch(() => res.destroy()));
    server.on('connect', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#tunnel(req, socket, head).catch(() => socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A program that is still running is no reason for the server not to stop.
    server.unref();
    return server;
  }

  async #pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const typed = this.#typedHost(req);
    if (typed === undefined) return void res.writeHead(407, { 'proxy-authenticate': 'Basic realm="weir"' }).end();
    if (!methods.includes(req.method ?? '')) return void res.writeHead(405).end();
    const target = await this.#check(() => parseTarget(req.url ?? ''), typed);
    if (!target) return void res.writeHead(403).end();
    const { url, hostname, addresses } = target;
    const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !hopByHop.test(name)));
    const outgoing = request({
      hostname,
      port: url.port,
      path: `${url.pathname}${url.search}`,
      method: req.method,
      headers: { ...headers, host: url.host, connection: 'close' },
      agent: false,
      timeout: idleMs,
      lookup: (_name, options, done) => {
        const [first] = addresses;
        if (options.all) done(null, [...addresses]);
        else if (first) done(null, first.address, first.family);
      },
    });
    const giveUp = () => {
      outgoing.destroy();
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
    };
    const late = setTimeout(giveUp, answerMs);
    outgoing.on('timeout', giveUp).on('close', () => clearTimeout(late));
    const take = (answer: IncomingMessage) => {
      clearTimeout(late);
      const kept = Object.entries(answer.headers).filter(([name]) => !hopByHop.test(name));
      res.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
      answer.on('error', giveUp).on('aborted', giveUp);
      answer.pipe(res);
    };
    takeAnswer(outgoing, { take, fail: giveUp });
    res.on('close', () => outgoing.destroy());
    req.pipe(outgoing);
  }

  async #tunnel(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    this.#keep(socket);
    const typed = this.#typedHost(req);
    if (typed === undefined) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="weir"\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    const target = await this.#check(() => parseTarget(`https://${req.url ?? ''}`), typed);
    const [address] = target?.addresses ?? [];
    if (!target || !address) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const upstream: Socket = connect({ host: address.address, port: Number(target.url.port || 443), timeout: idleMs });
    this.#keep(upstream);
    const end = () => {
      upstream.destroy();
      socket.destroy();
    };
    upstream.on('error', end).on('timeout', end).on('close', end);
    socket.on('close', end);
    upstream.once('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
  }

  async #check(read: () => URL, typed: string): Promise<CheckedTarget | undefined> {
    try {
      const url = read();
      const isTyped = sameHost(url, typed);
      return await checkTarget(url, isTyped ? 'allowed' : 'never', this.#resolve);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      // Of hosts, not of requests: there are never more than sources.
      this.#refusals.set(typed, error.message);
      return undefined;
    }
  }

  /** The host that this caller was given its address for; undefined when it was given none. */
  #typedHost(req: IncomingMessage): string | undefined {
    const [scheme = '', value = ''] = (req.headers['proxy-authorization'] ?? '').split(' ');
    if (scheme.toLowerCase() !== 'basic') return undefined;
    const [user = '', password = ''] = Buffer.from(value, 'base64').toString().split(':');
    return sameText(password, this.#password(user)) ? Buffer.from(user, 'base64url').toString() : undefined;
  }

  #password(user: string): string {
    return createHmac('sha256', this.#key).update(user).digest('base64url');
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

/** The port counts too: what else runs on a machine is not what was typed. */
function sameHost(url: URL, typed: string): boolean {
  const port = (of: URL) => of.port || (url.protocol === 'https:' ? '443' : '80');
  if (!URL.canParse(`${url.protocol}//${typed}`)) return false;
  const other = new URL(`${url.protocol}//${typed}`);
  return url.hostname === other.hostname && port(url) === port(other);
}
