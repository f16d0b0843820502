import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Log } from '@weir/plane';
import type { CallerReader } from '../../http/caller.ts';
import { stallMs } from '../../http/exchange.ts';
import { NetworkShares } from '../../hub/network-shares.ts';
import type { Limits } from '../limits.ts';
import type { OpenConnections } from '../open-connections.ts';
import type { Http2Call, Http2Connections } from './http2-connections.ts';
import type { Http2Head } from './http2-head.ts';

interface Options {
  readonly limits: Limits;
  readonly callers: CallerReader;
  readonly connections: OpenConnections;
  readonly serve: (call: Http2Call) => void;
  readonly log: Log;
}

/** Takes over the connections whose clients chose HTTP/2 in the handshake. */
export class Http2Door {
  readonly #options: Options;
  readonly #shares: NetworkShares;
  #openRequests = 0;
  #loading: Promise<Http2Connections> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#shares = new NetworkShares(options.limits.http2Requests);
  }

  /** Installs itself before the existing listeners of connections. */
  install(server: Server): void {
    const listeners = server.listeners('secureConnection');
    server.removeAllListeners('secureConnection');
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') this.#accept(socket);
      else for (const listener of listeners) listener.call(server, socket);
    });
  }

  async close(): Promise<void> {
    (await this.#loading)?.close();
  }

  #accept(socket: TLSSocket): void {
    // Runs before the session listens for it.
    socket.on('error', () => undefined);
    this.#load().then(
      (connections) => connections.add(socket),
      (error: unknown) => {
        this.#options.log.error({ err: error }, 'HTTP/2 could not be loaded');
        socket.destroy();
      },
    );
  }

  /** Created with the first connection, to save memory in an idle engine. */
  #load(): Promise<Http2Connections> {
    const { limits, connections, serve } = this.#options;
    this.#loading ??= import('./http2-connections.ts').then(
      ({ Http2Connections }) =>
        new Http2Connections({
          serve,
          connections,
          reserve: (head) => this.#reserve(head),
          maxHeaderBytes: limits.maxHeaderBytes,
          keepAliveMs: limits.keepAliveMs,
          stallMs: Math.min(stallMs, limits.stallMs),
        }),
    );
    return this.#loading;
  }

  /** Requests are limited like connections elsewhere. */
  #reserve(head: Http2Head): (() => void) | undefined {
    const { callers, limits } = this.#options;
    const { address } = callers.read(head);
    if (this.#openRequests >= limits.maxConnections || !this.#shares.take(address)) return undefined;
    this.#openRequests += 1;
    return () => {
      this.#openRequests -= 1;
      this.#shares.giveBack(address);
    };
  }
}
