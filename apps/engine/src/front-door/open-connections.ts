import type { Socket } from 'node:net';

/**
 * Bounded set of the connections of all public HTTP ports. When it is full, a new connection replaces the one that has waited longest for its
 * first request: real clients send it at once, so slow ones cannot keep others out.
 */
export class OpenConnections {
  readonly #max: number;
  readonly #open = new Set<Socket>();
  /** Connections without a complete request: before the first one, or between two. The oldest is first. */
  readonly #waiting = new Set<Socket>();
  /** Connections in their TLS handshake by address: after it TLS represents them by another object. */
  readonly #shaking = new Map<string, Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#open.size;
  }

  admit(socket: Socket): void {
    if (this.#open.size >= this.#max && !this.#endLongestWaiting()) {
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    this.#waiting.add(socket);
    socket.once('close', () => this.#remove(socket));
  }

  admitShaking(socket: Socket): void {
    this.admit(socket);
    const place = placeOf(socket);
    this.#shaking.set(place, socket);
    socket.once('close', () => {
      if (this.#shaking.get(place) === socket) this.#shaking.delete(place);
    });
  }

  /** The handshake of a connection is done; from now on this is what asks and waits. */
  shaken(secure: Socket): void {
    const place = placeOf(secure);
    const socket = this.#shaking.get(place);
    this.#shaking.delete(place);
    if (socket) this.#waiting.delete(socket);
    this.#waiting.add(secure);
    secure.once('close', () => this.#waiting.delete(secure));
  }

  /** A whole request of it is in hand. */
  setBusy(socket: Socket): void {
    this.#waiting.delete(socket);
  }

  setWaiting(socket: Socket): void {
    if (!socket.destroyed) this.#waiting.add(socket);
  }

  #endLongestWaiting(): boolean {
    const [longest] = this.#waiting;
    if (!longest) return false;
    // Closing takes a moment; the place is free at once.
    this.#remove(longest);
    longest.destroy();
    return true;
  }

  #remove(socket: Socket): void {
    this.#open.delete(socket);
    this.#waiting.delete(socket);
  }
}

function placeOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
