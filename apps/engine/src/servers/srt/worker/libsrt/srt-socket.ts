import { setTimeout as sleep } from 'node:timers/promises';
import { type SendAccount, SendWindow } from './send-window.ts';
import type { SrtFacts } from './srt-facts.ts';
import { controlBytes, type SrtLibrary, sequenceAt, srtEvent, srtOption } from './srt-library.ts';
import type { SrtPoll } from './srt-poll.ts';

/** Messages read from one socket before the next socket is served. */
const mostAtOnce = 256;
/** The largest payload that fits a packet of 1500 bytes. */
const largestMessage = 1456;

const received = Buffer.alloc(largestMessage);
const control = Buffer.alloc(controlBytes);

/** Silence after which libsrt closes the connection. */
export const peerIdleMs = 5000;
/** Tolerance between libsrt's timers and ours. */
const idleToleranceMs = 500;
/** Interval of checks for room in a full window of the peer; it grows with each check. */
const againMs = { first: 10, last: 320 };
/** MPEG-TS null packet, which players ignore. */
const nullPacket = Buffer.alloc(188, 0xff);
nullPacket.writeUInt32BE(0x471f_ff10, 0);
/** Exceeds the packets of any latency. */
const neverAtOnce = 1_000_000;

/** Callbacks of a connection's owner. */
export interface SrtSocketOwner {
  /** `message` is only valid during the call. */
  onMessage(message: Buffer, sequence: number): void;
  onWritable(): void;
  /** The peer closed the connection, or was silent for too long. Not called after `close`. */
  onGone(reason: string): void;
}

/** Socket of an accepted caller. Reads nothing until started: libsrt buffers its data up to a limit. */
export class SrtSocket {
  readonly address: string;
  readonly streamId: string;
  /** Receive window that the caller announces, in packets. */
  readonly window: number;
  /** Time that libsrt waits for missing packets before it continues without them; 0 for no limit. */
  readonly latencyMs: number;
  /** Time that the peer waits for missing packets; 0 for no limit. */
  readonly peerLatencyMs: number;
  /** True when the caller was accepted with a receive buffer for media. */
  readonly receivesMedia: boolean;
  readonly #library: SrtLibrary;
  readonly #poll: SrtPoll;
  readonly #socket: number;
  #owner: SrtSocketOwner | undefined;
  #wanted = 0;
  #isClosed = false;
  #heardMs = performance.now();
  #sentMs = Number.NEGATIVE_INFINITY;
  readonly #window: SendWindow;
  /** True while the send window is full although libsrt has space. */
  #isHeld = false;
  #againMs = againMs.first;
  #again: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(library: SrtLibrary, poll: SrtPoll, socket: number, address: string) {
    this.#library = library;
    this.#poll = poll;
    this.#socket = socket;
    this.address = address;
    this.streamId = library.streamIdOf(socket);
    const agreed = library.agreementOf(socket);
    this.window = agreed.window;
    this.latencyMs = agreed.latencyMs;
    this.peerLatencyMs = agreed.peerLatencyMs;
    this.receivesMedia = agreed.receivesMedia;
    this.#window = new SendWindow(() => library.unconfirmedOf(socket), performance.now());
    poll.watch(socket, 0, (events) => this.#onReady(events));
  }

  own(owner: SrtSocketOwner): void {
    this.#owner = owner;
  }

  /** Counts data sent to it, within the limit of its account. */
  countOn(account: SendAccount): void {
    this.#window.countOn(account);
  }

  read(): void {
    this.#want(this.#wanted | srtEvent.in);
  }

  /** Calls `onWritable` once when there is room again. */
  awaitRoom(): void {
    if (!this.#isHeld) this.#want(this.#wanted | srtEvent.out);
    else this.#again ??= setTimeout(() => this.#onAgain(), this.#againMs).unref();
  }

  /** Returns false without room. */
  send(message: Buffer): boolean {
    if (this.#isClosed) return false;
    const nowMs = performance.now();
    const complaint = this.#window.complaint(nowMs);
    if (complaint !== undefined) {
      this.#end(complaint);
      return false;
    }
    this.#isHeld = !this.#window.hasRoom(nowMs);
    if (this.#isHeld) {
      if (this.#window.isProbeDue(nowMs) && this.#library.send(this.#socket, nullPacket) > 0)
        this.#window.noteSent(nowMs);
      return false;
    }
    const sent = this.#library.send(this.#socket, message);
    if (sent < 0) this.#lose();
    if (sent <= 0) return false;
    this.#sentMs = nowMs;
    this.#window.noteSent(nowMs);
    this.#againMs = againMs.first;
    return true;
  }

  /** Messages sent and not yet confirmed. */
  get unconfirmed(): number {
    return this.#isClosed ? 0 : this.#window.unconfirmed(performance.now());
  }

  /** Time since the last media packet. */
  get silentMs(): number {
    return performance.now() - this.#heardMs;
  }

  /** Checks that the peer is there: it acknowledges a dummy packet or sends one. */
  async answers(withinMs: number): Promise<boolean> {
    const heardMs = this.#heardMs;
    const untilMs = performance.now() + withinMs;
    if (this.#isClosed || this.#library.send(this.#socket, nullPacket) <= 0) return false;
    while (!this.#isClosed && performance.now() < untilMs) {
      await sleep(50);
      if (this.#heardMs !== heardMs || (!this.#isClosed && this.#library.unconfirmedOf(this.#socket) === 0))
        return true;
    }
    return false;
  }

  /** Chooses between immediate loss reports and libsrt's periodic ones only. */
  reportLossAtOnce(isAtOnce: boolean): void {
    if (!this.#isClosed) this.#library.setOption(this.#socket, srtOption.lossMaxTtl, isAtOnce ? 0 : neverAtOnce);
  }

  /** Limits unconfirmed messages; undefined = as many as fit into memory. */
  setWindow(messages: number | undefined): void {
    this.#window.bound = messages ?? Number.POSITIVE_INFINITY;
  }

  facts(): SrtFacts | undefined {
    return this.#isClosed ? undefined : this.#library.facts(this.#socket);
  }

  close(): Promise<void> {
    if (this.#closing) return this.#closing;
    this.#isClosed = true;
    clearTimeout(this.#again);
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
    // Data received before the end is read first.
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
      this.#heardMs = performance.now();
      this.#owner?.onMessage(received.subarray(0, bytes), control.readInt32LE(sequenceAt));
    }
  }

  /** Makes the owner try again, also without new data. */
  #onAgain(): void {
    this.#again = undefined;
    this.#againMs = Math.min(againMs.last, 2 * this.#againMs);
    if (!this.#isClosed) this.#owner?.onWritable();
  }

  #lose(): void {
    if (this.#isClosed) return;
    // libsrt gives no reason. A viewer that was sent nothing had nothing to confirm.
    const nowMs = performance.now();
    const isHeard = this.latencyMs > 0 || nowMs - this.#sentMs < peerIdleMs / 2;
    // A pure receiver sends nothing but acknowledgements.
    const heardMs = Math.max(this.#heardMs, this.#window.progressMs);
    const isSilent = isHeard && nowMs - heardMs > peerIdleMs - idleToleranceMs;
    this.#end(isSilent ? `nothing received for ${peerIdleMs / 1000} s` : 'closed by the peer');
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    void this.close();
    this.#owner?.onGone(reason);
  }
}
