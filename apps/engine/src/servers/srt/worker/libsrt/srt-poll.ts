import { type SrtLibrary, srtEvent } from './srt-library.ts';

/** Told what a socket is ready for, as bits of `srtEvent`. */
type OnReady = (events: number) => void;

const mostEvents = 1024;
/** The wait also ends by itself, so that closing never waits longer. */
const waitMs = 250;
/** After a wake the next one comes no sooner: what arrives in between is read in one go. */
const restMs = 5;
/** libsrt looks at its sockets a hundred times a second while somebody waits; after this long without any nobody does. */
const idleAfterMs = 2000;

/**
 * One thread of libuv's pool waits for all SRT sockets; the sockets' owners are called here, on the event loop, and then
 * read and write without waiting.
 */
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

  /** Wakes the poll after a call: there will be something to accept. */
  stir(): void {
    this.#awakeUntilMs = performance.now() + idleAfterMs;
    this.#wake?.();
  }

  /** Calls it when the loop is free, as owners are called: what it throws is told, and ends nothing. */
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
      // The listener alone needs no watching, because each caller is judged first.
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
