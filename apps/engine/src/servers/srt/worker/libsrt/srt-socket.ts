import type { SrtFacts } from './srt-facts.ts';
import { controlBytes, type SrtLibrary, sequenceAt, srtEvent } from './srt-library.ts';
import type { SrtPoll } from './srt-poll.ts';

/** Messages taken from one socket before the others have their turn. */
const mostAtOnce = 256;
/** The largest payload that fits a packet of 1500 bytes. */
const largestMessage = 1456;

const received = Buffer.alloc(largestMessage);
const control = Buffer.alloc(controlBytes);

/** What the owner of a connection is told. */
export interface SrtSocketOwner {
  /** `message` is only valid during the call. */
  onMessage(message: Buffer, sequence: number): void;
  onWritable(): void;
  /** The peer is gone, or the connection was lost. Not called after `close`. */
  onGone(): void;
}

/** One accepted caller. Reads nothing until told to: what it sends meanwhile stays in libsrt, up to a limit. */
export class SrtSocket {
  readonly address: string;
  readonly streamId: string;
  /** Packets that the caller claims to take at once. */
  readonly window: number;
  readonly #library: SrtLibrary;
  readonly #poll: SrtPoll;
  readonly #socket: number;
  #owner: SrtSocketOwner | undefined;
  #wanted = 0;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(library: SrtLibrary, poll: SrtPoll, socket: number, address: string) {
    this.#library = library;
    this.#poll = poll;
    this.#socket = socket;
    this.address = address;
    this.streamId = library.streamIdOf(socket);
    this.window = library.windowOf(socket);
    poll.watch(socket, 0, (events) => this.#onReady(events));
  }

  own(owner: SrtSocketOwner): void {
    this.#owner = owner;
  }

  read(): void {
    this.#want(this.#wanted | srtEvent.in);
  }

  /** Says once, by `onWritable`, that there is room again. */
  awaitRoom(): void {
    this.#want(this.#wanted | srtEvent.out);
  }

  /** False when there is no room now. */
  send(message: Buffer): boolean {
    if (this.#isClosed) return false;
    const sent = this.#library.send(this.#socket, message);
    if (sent < 0) this.#lose();
    return sent > 0;
  }

  facts(): SrtFacts | undefined {
    return this.#isClosed ? undefined : this.#library.facts(this.#socket);
  }

  close(): Promise<void> {
    if (this.#closing) return this.#closing;
    this.#isClosed = true;
    this.#poll.unwatch(this.#socket);
    this.#closing = this.#library.close(this.#socket);
    return this.#closing;
  }

  #want(events: number): void {
    if (this.#isClosed || events === this.#wanted) return;
    this.#wanted = events;
    this.#poll.rewatch(this.#socket, events);
  }

  #onReady(events: number): void {
    if ((events & srtEvent.in) !== 0) this.#receive();
    if ((events & srtEvent.out) !== 0 && !this.#isClosed) {
      this.#want(this.#wanted & ~srtEvent.out);
      this.#owner?.onWritable();
    }
    // What was received before the end is read first.
    if ((events & srtEvent.error) !== 0 && (events & srtEvent.in) === 0) this.#lose();
  }

  #receive(): void {
    for (let n = 0; n < mostAtOnce && !this.#isClosed; n++) {
      const bytes = this.#library.receive(this.#socket, received, control);
      if (bytes === 0) return;
      if (bytes < 0) {
        this.#lose();
        return;
      }
      this.#owner?.onMessage(received.subarray(0, bytes), control.readInt32LE(sequenceAt));
    }
  }

  #lose(): void {
    if (this.#isClosed) return;
    void this.close();
    this.#owner?.onGone();
  }
}
