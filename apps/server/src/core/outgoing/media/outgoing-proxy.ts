import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeServer } from '@weir/plane';
import { sameText } from '../../same-text.ts';
import { https } from '../../secure-modules.ts';
import { OutgoingError } from '../outgoing-error.ts';
import { type CheckedTarget, checkTarget, type OwnNetwork, parseTarget, type Resolve } from '../outgoing-target.ts';
import { receiveResponse } from '../request/receive-response.ts';
import { playlistMark, rewritePlaylist } from './playlist-addresses.ts';
import { followedAddress, typedAddress } from './reader-address.ts';

const idleMs = 60_000;
/** From the request to the last header of its answer. */
const answerMs = 30_000;
const methods = ['GET', 'HEAD', 'POST'];
/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const hopByHop = /^(?:connection|proxy-.*|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** User of the proxy and its permitted purpose. */
interface ProxyUser {
  /** The one `name:port` that the administrator typed: only that may be in the own network. */
  readonly host: string;
  readonly ownNetwork: OwnNetwork;
  /** Form of addresses for ffmpeg, which requests every scheme from this proxy. */
  readonly isReader: boolean;
}

/**
 * The way out for programs we run: ffmpeg and yt-dlp follow redirects and playlists by themselves, to wherever those point. Through
 * this proxy each of their requests is resolved, checked and connected as our own are. It listens on loopback, begins with its first
 * user, and knows by the credential in its address who asks.
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

  /** Returns the address for a program that may request this host and public ones. */
  async addressFor({ host, ownNetwork, isReader }: ProxyUser): Promise<string> {
    this.#listening ??= this.#listen();
    const { port } = (await this.#listening).address() as AddressInfo;
    const user = Buffer.from(JSON.stringify([host.toLowerCase(), ownNetwork, isReader])).toString('base64url');
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
    await closeServer(server);
  }

  async #listen(): Promise<Server> {
    // A failure ends only that connection.
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
    const user = this.#userOf(req);
    if (user === undefined) return void res.writeHead(407, { 'proxy-authenticate': 'Basic realm="weir"' }).end();
    if (!methods.includes(req.method ?? '')) return void res.writeHead(405).end();
    const read = () => parseTarget(user.isReader ? typedAddress(req.url ?? '') : (req.url ?? ''));
    const target = await this.#check(read, user);
    if (!target) return void res.writeHead(403).end();
    const outgoing = ask(target, req, user);
    const giveUp = () => {
      outgoing.destroy();
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
    };
    const late = setTimeout(giveUp, answerMs);
    outgoing.on('timeout', giveUp).on('close', () => clearTimeout(late));
    const take = (answer: IncomingMessage) => {
      clearTimeout(late);
      answer.on('error', giveUp).on('aborted', giveUp);
      if (user.isReader) {
        const onRefused = (why: string) => void this.#refusals.set(user.host, why);
        answerReader(answer, res, { url: target.url, onRefused }).catch(giveUp);
        return;
      }
      const kept = Object.entries(answer.headers).filter(([name]) => !hopByHop.test(name));
      res.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
      answer.pipe(res);
    };
    receiveResponse(outgoing, { take, fail: giveUp });
    res.on('close', () => outgoing.destroy());
    req.pipe(outgoing);
  }

  async #tunnel(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    this.#keep(socket);
    const user = this.#userOf(req);
    if (user === undefined) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="weir"\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    const target = await this.#check(() => parseTarget(`https://${req.url ?? ''}`), user);
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

  async #check(read: () => URL, { host, ownNetwork }: ProxyUser): Promise<CheckedTarget | undefined> {
    try {
      const url = read();
      return await checkTarget(url, sameHost(url, host) ? ownNetwork : 'never', this.#resolve);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      // Stored per host, so there are never more than sources.
      this.#refusals.set(host, error.message);
      return undefined;
    }
  }

  /** User behind the caller's credentials; undefined without any. */
  #userOf(req: IncomingMessage): ProxyUser | undefined {
    const [scheme = '', value = ''] = (req.headers['proxy-authorization'] ?? '').split(' ');
    if (scheme.toLowerCase() !== 'basic') return undefined;
    const [user = '', password = ''] = Buffer.from(value, 'base64').toString().split(':');
    if (!sameText(password, this.#password(user))) return undefined;
    // Made by us, as the password proves.
    const [host, ownNetwork, isReader] = JSON.parse(Buffer.from(user, 'base64url').toString());
    return { host, ownNetwork, isReader };
  }

  #password(user: string): string {
    return createHmac('sha256', this.#key).update(user).digest('base64url');
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

/** The same request to one of the checked addresses and no other. */
function ask({ url, hostname, addresses }: CheckedTarget, req: IncomingMessage, user: ProxyUser): ClientRequest {
  const lookup: LookupFunction = (_name, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else if (first) done(null, first.address, first.family);
  };
  const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !hopByHop.test(name)));
  // ffmpeg asks for everything in this way, and what is a part of something cannot be told from a playlist.
  if (user.isReader && headers.range === 'bytes=0-') delete headers.range;
  const common = {
    hostname,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method: req.method,
    headers: {
      ...headers,
      ...(user.isReader && { 'accept-encoding': 'identity' }),
      host: url.host,
      connection: 'close',
    },
    agent: false,
    timeout: idleMs,
    lookup,
  } as const;
  if (url.protocol === 'http:') return requestHttp(common);
  // Certificates are not checked, as in ffmpeg: cameras and home devices have none that could be.
  return https().request({
    ...common,
    rejectUnauthorized: false,
    ...(isIP(hostname) === 0 && { servername: hostname }),
  });
}

/** The port counts too: what else runs on a machine is not what was typed. */
function sameHost(url: URL, typed: string): boolean {
  const port = (of: URL) => of.port || (url.protocol === 'https:' ? '443' : '80');
  if (!URL.canParse(`${url.protocol}//${typed}`)) return false;
  const other = new URL(`${url.protocol}//${typed}`);
  return url.hostname === other.hostname && port(url) === port(other);
}

/** Hours of segments with long names; more is no playlist. */
const mostPlaylistBytes = 4 * 1024 * 1024;
/** Response headers that ffmpeg needs. */
const kept = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'www-authenticate', 'set-cookie'];

interface Context {
  /** Requested URL. */
  readonly url: URL;
  readonly onRefused: (why: string) => void;
}

/**
 * Forwards an answer to ffmpeg. Redirects and addresses in playlists are rewritten to this proxy, so that none can name another protocol.
 * Other bodies pass unchanged.
 */
async function answerReader(answer: IncomingMessage, res: ServerResponse, context: Context): Promise<void> {
  const { statusCode = 502, headers } = answer;
  const encoding = headers['content-encoding'] ?? 'identity';
  // ffmpeg would unpack it, and we would not see what it reads.
  if (encoding !== 'identity') throw new OutgoingError('no-connection', 'the response has an unexpected encoding');
  const shown = Object.fromEntries(
    kept.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  const { location } = headers;
  if (location !== undefined) shown.location = followedAddress(location, context.url, context.onRefused);
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head = Buffer.alloc(0);
  let isOver = false;
  while (head.length < playlistMark.length && !isOver) {
    const { value, done } = await chunks.next();
    isOver = done === true;
    if (!isOver) head = Buffer.concat([head, value]);
  }
  if (head.subarray(0, playlistMark.length).toString('latin1') !== playlistMark) {
    res.writeHead(statusCode, shown);
    await pour(head, chunks, res);
    return;
  }
  const playlist = rewritePlaylist(await rest(head, chunks), (address) =>
    followedAddress(address, context.url, context.onRefused),
  );
  const body = Buffer.from(playlist);
  const { 'content-range': _range, 'accept-ranges': _ranges, ...plain } = shown;
  res.writeHead(statusCode === 206 ? 200 : statusCode, { ...plain, 'content-length': String(body.length) }).end(body);
}

async function pour(head: Buffer, chunks: AsyncIterator<Buffer>, res: ServerResponse): Promise<void> {
  if (head.length > 0) await write(res, head);
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) break;
    await write(res, value);
  }
  res.end();
}

/** Applies back-pressure; a closed client receives nothing more. */
function write(res: ServerResponse, bytes: Buffer): Promise<void> | undefined {
  if (res.destroyed) throw new OutgoingError('stopped', 'the reader disconnected');
  if (res.write(bytes)) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

async function rest(head: Buffer, chunks: AsyncIterator<Buffer>): Promise<string> {
  const all = [head];
  let bytes = head.length;
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) return Buffer.concat(all).toString('utf8');
    bytes += value.length;
    if (bytes > mostPlaylistBytes) throw new OutgoingError('too-large', 'the playlist is too large');
    all.push(value);
  }
}
