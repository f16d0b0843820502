import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { keepAccepting, type Listen, type Log, StartError } from '@weir/plane';

/** One public port as the health answer shows it. */
export interface ListenerState {
  readonly protocol: 'http' | 'https' | 'rtmp' | 'rtc' | 'srt';
  readonly port: number;
  readonly ready: boolean;
  readonly note: string;
}

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

  /** The port it listens on; 0 while it does not. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  async open(listen: Listen, variable: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject).once('listening', resolve);
    // Without a host Node takes `::` with IPv4 included, or `0.0.0.0` on a machine without IPv6.
    const where = listen.host === undefined ? {} : { host: listen.host };
    this.#server.listen({ port: listen.port, backlog: 4096, ...where });
    try {
      await promise;
      keepAccepting(this.#server, this.#log);
    } catch (error) {
      throw startError(error as NodeJS.ErrnoException, listen, variable);
    } finally {
      this.#server.off('error', reject).off('listening', resolve);
    }
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

function startError(error: NodeJS.ErrnoException, { host, port }: Listen, variable: string): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use by another program: stop that program, or set ${variable} to another port.`,
    EACCES: `Port ${port} may not be opened by this user: set ${variable} to a port above 1023, or grant the right.`,
    EADDRNOTAVAIL: `This machine has no address ${host} to listen on port ${port}: correct ${variable}.`,
  };
  const sentence =
    sentences[error.code ?? ''] ?? `Port ${port} cannot be opened (${error.message}): check ${variable}.`;
  return new StartError(sentence, { cause: error });
}
