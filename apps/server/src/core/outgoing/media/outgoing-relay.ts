import { once } from 'node:events';
import { type AddressInfo, connect, createServer, isIP, type Server, type Socket } from 'node:net';
import { tls } from '../../secure-modules.ts';
import { connectionError } from '../outgoing-error.ts';
import { type CheckedTarget, checkTarget, type OwnNetwork, type Resolve } from '../outgoing-target.ts';
import { RtspGuard } from './rtsp-guard.ts';

const idleMs = 60_000;
const reachMs = 8000;

/** Destination of connections. */
interface RelayTarget {
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly ownNetwork: OwnNetwork;
}

/**
 * Loopback port per RTSP server. ffmpeg connects to it, and each connection is resolved, checked and relayed to the checked address. RTSP
 * has no proxies, and ffmpeg follows redirects unchecked; here they end.
 */
export class OutgoingRelay {
  readonly #resolve: Resolve | undefined;
  readonly #doors = new Map<string, Promise<Server>>();
  readonly #sockets = new Set<Socket>();

  constructor(resolve?: Resolve) {
    this.#resolve = resolve;
  }

  /** `host:port` of the door to a server. */
  async doorTo(target: RelayTarget): Promise<string> {
    const key = JSON.stringify(target);
    const opening = this.#doors.get(key) ?? this.#open(target);
    this.#doors.set(key, opening);
    return `127.0.0.1:${((await opening).address() as AddressInfo).port}`;
  }

  /** Checks that the target accepts connections: behind the relay a program could not tell why it gets no answer. */
  async reach({ hostname, port, ownNetwork }: RelayTarget): Promise<void> {
    const socket = dial(await checkTarget(webAddress(hostname), ownNetwork, this.#resolve), port, false);
    this.#keep(socket);
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(reachMs) });
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'AbortError';
      throw connectionError(isLate ? Object.assign(new Error('late'), { code: 'ETIMEDOUT' }) : error);
    } finally {
      socket.on('error', () => undefined).destroy();
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const servers = await Promise.all(this.#doors.values());
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  async #open(target: RelayTarget): Promise<Server> {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      this.#keep(socket);
      this.#lead(socket, target).catch(() => socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    return server;
  }

  async #lead(socket: Socket, { hostname, port, isTls, ownNetwork }: RelayTarget): Promise<void> {
    const upstream = dial(await checkTarget(webAddress(hostname), ownNetwork, this.#resolve), port, isTls);
    this.#keep(upstream);
    const end = () => {
      upstream.destroy();
      socket.destroy();
    };
    for (const side of [upstream, socket]) side.on('error', end).on('timeout', end).on('close', end).setTimeout(idleMs);
    const guard = new RtspGuard();
    pass(socket, upstream, (chunk) => {
      guard.ask(chunk);
      return true;
    });
    pass(upstream, socket, (chunk) => guard.passes(chunk));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

function webAddress(hostname: string): URL {
  return new URL(`http://${isIP(hostname) === 6 ? `[${hostname}]` : hostname}`);
}

function dial({ hostname, addresses }: CheckedTarget, port: number, isTls: boolean): Socket {
  const host = addresses[0]?.address ?? '';
  if (!isTls) return connect({ host, port });
  // No certificate of a camera could be checked; ffmpeg does not either.
  return tls().connect({
    host,
    port,
    rejectUnauthorized: false,
    ...(isIP(hostname) === 0 && { servername: hostname }),
  });
}

function pass(from: Socket, to: Socket, looks: (chunk: Buffer) => boolean): void {
  from.on('data', (chunk: Buffer) => {
    if (!looks(chunk)) from.destroy();
    else if (!to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
}
