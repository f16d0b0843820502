import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Listen, Log } from '@weir/plane';
import { listeningPort, openTcpPort } from '../servers/tcp-port.ts';

/** A server on one public port: opens with an error a person can act on, closes within a given time. */
export class Listener {
  readonly #server: Server;
  readonly #log: Log;
  readonly #sockets = new Set<Socket>();
  #closing: Promise<void> | undefined;

  constructor(server: Server, log: Log) {
    this.#server = server;
    this.#log = log;
    // Also connections that never became HTTP: a handshake that does not end, a refused CONNECT.
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
