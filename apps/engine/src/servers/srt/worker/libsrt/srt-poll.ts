import { type SrtLibrary, srtEvent } from './srt-library.ts';

/** Called with the readiness of a socket, as bits of `srtEvent`. */
type OnReady = (events: number) => void;

const mostEvents = 1024;
/** Timeout of a wait, which limits the time of closing. */
const waitMs = 250;
/** Minimum time between wakes, so that arrivals in between are read together. */
const restMs = 5;
/** libsrt polls its sockets a hundred times a second during a wait. Without sockets for this long, the wait ends. */
const idleAfterMs = 2000;

/** A thread of libuv's pool waits for all SRT sockets. Their owners are called on the event loop, and read and write without blocking. */
export class SrtPoll {
  readonly #library: SrtLibrary;
  readonly #poll: number;
  readonly #owners = new Map<number, OnReady>();
  readonly #events = Buffer.alloc(mostEvents * 8);
  readonly #onFailure: (error: unknown) => void;
  readonly #running: Promise<void>;
  #isClosing = false;
  #awakeUntilMs = 0;
  #wake: (() => void) | undefined;

  constructor(library: SrtLibrary, onFailure: (error: unknown) => void) {
    this.#library = library;
    this.#poll = library.createPoll();
    this.#onFailure = onFailure;
    this.#running = this.#run();
  }

  watch(socket: number, events: number, onReady: OnReady): void {
    this.#library.watch(this.#poll, socket, events | srtEvent.error);
    this.#owners.set(socket, onReady);
  }

  rewatch(socket: number, events: number): void {
    if (this.#owners.has(socket)) this.#library.rewatch(this.#poll, socket, events | srtEvent.error);
  }

  unwatch(socket: number): void {
    if (this.#owners.delete(socket)) this.#library.unwatch(this.#poll, socket);
  }

  /** Wakes the poll after a call, so that it is accepted. */
  stir(): void {
    this.#awakeUntilMs = performance.now() + idleAfterMs;
    this.#wake?.();
  }

  /** Runs a callback on the event loop, like those of owners: an error is logged and ends nothing. */
  soon(act: () => void): void {
    setImmediate(() => this.#guard(act, 0));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      // Without sockets, no wait is needed: each caller is admitted first.
      if (this.#owners.size <= 1 && performance.now() > this.#awakeUntilMs) await this.#sleep();
      if (this.#isClosing) break;
      const ready = await this.#library.wait(this.#poll, this.#events, waitMs);
      if (this.#isClosing) break;
      for (let n = 0; n < Math.min(ready, mostEvents); n++) this.#dispatch(n);
      if (ready !== 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    this.#library.releasePoll(this.#poll);
  }

  #sleep(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  #dispatch(n: number): void {
    const socket = this.#events.readInt32LE(8 * n);
    const onReady = this.#owners.get(socket);
    if (onReady) this.#guard(onReady, this.#events.readInt32LE(8 * n + 4));
  }

  #guard(act: OnReady, events: number): void {
    try {
      act(events);
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
