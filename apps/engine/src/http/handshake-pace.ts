import type { Server, Socket } from 'node:net';

/** Handshakes started in one turn. Each blocks the event loop for a millisecond or two. */
const perTurn = 8;

/**
 * Hands connections to TLS when their first bytes are there, a few in each turn of the event loop: hundreds of handshakes at the
 * same moment would delay all viewers.
 */
export class HandshakePace {
  readonly #limitMs: number;
  readonly #ready: (() => void)[] = [];
  #timer: NodeJS.Immediate | undefined;

  /** `limitMs`: how long a client may take to send its first bytes. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Wraps the server's present listener for new connections. */
  install(server: Server): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      this.#await(socket, () => {
        for (const listener of listeners) listener.call(server, socket);
      });
    });
  }

  #await(socket: Socket, handOver: () => void): void {
    const end = () => void socket.destroy();
    const onReadable = () => {
      // The client did its part: waiting for a turn must not count against it.
      socket.off('readable', onReadable).off('timeout', end).setTimeout(0);
      if (socket.readableLength === 0) end();
      else this.#add(begin);
    };
    const begin = () => {
      if (socket.destroyed) return;
      socket.off('error', ignore);
      handOver();
    };
    socket.setTimeout(this.#limitMs).on('timeout', end).on('error', ignore).on('readable', onReadable);
  }

  #add(begin: () => void): void {
    this.#ready.push(begin);
    this.#timer ??= setImmediate(this.#run);
  }

  readonly #run = (): void => {
    for (const begin of this.#ready.splice(0, perTurn)) begin();
    this.#timer = this.#ready.length > 0 ? setImmediate(this.#run) : undefined;
  };
}

function ignore(): void {}
