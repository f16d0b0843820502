import type { Server, Socket } from 'node:net';

/** Handshakes that one turn begins. Each takes a millisecond or two, in which nobody else is served. */
const perTurn = 8;

/**
 * Lets TLS see a connection when its first bytes are there, a few of them in each turn of the event loop: hundreds of clients that begin
 * their handshakes at the same moment would hold up everybody who watches.
 */
export class HandshakePace {
  readonly #limitMs: number;
  readonly #ready: (() => void)[] = [];
  #timer: NodeJS.Immediate | undefined;

  /** `limitMs`: how long a client may take to send its first bytes. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Steps in front of the listener for new connections that the server has now. */
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
      // The client did its part: the time in which it waits for its turn is ours.
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
