/** Concurrency limit that leaves threads of the pool to others. */
const mostAtOnce = 2;

/**
 * Ends sockets on the thread pool, a few at a time. When a stream with hundreds of players is over they all close together,
 * and neither the pool nor koffi takes that many calls.
 */
export class CloseQueue {
  readonly #close: (socket: number, done: () => void) => void;
  readonly #waiting: { readonly socket: number; readonly done: () => void }[] = [];
  #running = 0;

  constructor(close: (socket: number, done: () => void) => void) {
    this.#close = close;
  }

  close(socket: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ socket, done: resolve });
    this.#next();
    return promise;
  }

  #next(): void {
    if (this.#running >= mostAtOnce) return;
    const first = this.#waiting.shift();
    if (!first) return;
    this.#running += 1;
    this.#close(first.socket, () => {
      this.#running -= 1;
      first.done();
      this.#next();
    });
  }
}
