import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OpenConnections } from './open-connections.ts';

interface Turn {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Serialises the requests of a connection. Pipelined requests wait as headers only; Node alone would start them all at once. */
export class RequestPipeline {
  readonly #serve: (req: IncomingMessage, res: ServerResponse) => void;
  readonly #maxWaiting: number;
  readonly #connections: Pick<OpenConnections, 'setBusy' | 'setWaiting'>;
  readonly #bySocket = new WeakMap<Duplex, { current: ServerResponse; waiting: Turn[] }>();
  /** Connections that end with the answer they got. What follows may have been hidden in a body that another server reads differently. */
  readonly #ending = new WeakSet<Duplex>();

  constructor(options: {
    serve: (req: IncomingMessage, res: ServerResponse) => void;
    maxWaiting: number;
    connections: Pick<OpenConnections, 'setBusy' | 'setWaiting'>;
  }) {
    this.#serve = options.serve;
    this.#maxWaiting = options.maxWaiting;
    this.#connections = options.connections;
  }

  add(req: IncomingMessage, res: ServerResponse): void {
    if (this.#ending.has(req.socket)) return;
    const line = this.#bySocket.get(req.socket);
    if (!line) this.#begin({ req, res }, []);
    else if (line.waiting.length < this.#maxWaiting) line.waiting.push({ req, res });
    else req.socket.destroy();
  }

  /** True while a response is being written, so that nothing else may be written in between. */
  isAnswering(socket: Duplex): boolean {
    return this.#bySocket.get(socket)?.current.headersSent ?? false;
  }

  #begin({ req, res }: Turn, waiting: Turn[]): void {
    const { socket } = req;
    this.#bySocket.set(socket, { current: res, waiting });
    this.#connections.setBusy(socket);
    res.once('close', () => {
      if (!res.shouldKeepAlive) this.#ending.add(socket);
      const next = res.shouldKeepAlive ? waiting.shift() : undefined;
      if (next && !socket.destroyed) this.#begin(next, waiting);
      else {
        this.#bySocket.delete(socket);
        this.#connections.setWaiting(socket);
      }
    });
    this.#serve(req, res);
  }
}
