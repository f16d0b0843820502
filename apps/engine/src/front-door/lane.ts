import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CallerReader } from './caller.ts';
import type { Exchange } from './exchange.ts';
import { LaneConnection } from './lane-connection.ts';
import type { Reply } from './reply.ts';

export interface LaneOptions {
  readonly reply: Reply;
  readonly callers: CallerReader;
  readonly headersMs: number;
  readonly keepAliveMs: number;
  /** Whether a request target belongs to the media servers. */
  readonly isMedia: (method: string, url: string) => boolean;
  readonly serve: (exchange: Exchange) => void;
}

/**
 * A short way for the requests that make up nearly all traffic: viewers asking for media in the plainest form. They are
 * read and answered here, without the objects Node's HTTP server makes for each request and keeps for each viewer. A
 * connection stays as long as its requests are of that kind; with the first that is not, the connection goes to Node's
 * server for good, that request included.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #connections = new Set<LaneConnection>();
  #isClosing = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Steps in front of the HTTP server's own listener for new connections. */
  install(server: Server, event: 'connection' | 'secureConnection'): void {
    const listeners = server.listeners(event);
    server.removeAllListeners(event);
    const handOver = (socket: Socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on(event, (socket: Socket) => {
      if (this.#isClosing) {
        handOver(socket);
        return;
      }
      const connection: LaneConnection = new LaneConnection(socket, {
        ...this.#options,
        handOver,
        onLeft: () => this.#connections.delete(connection),
      });
      this.#connections.add(connection);
    });
  }

  /** Ends connections between requests, at once and as soon as they are. */
  close(): void {
    this.#isClosing = true;
    for (const connection of this.#connections) connection.close();
  }
}
