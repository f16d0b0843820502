import type { RtcTransport } from '../transport/rtc-transport.ts';

/** For a peer that was reached: time for DTLS to send what was lost five times, after 1, 2, 4, 8 and 16 s. */
const secureWithinMs = 35_000;
/** Silence after which a peer is gone. Receivers report every 5 s or so, 7.5 s at most (RFC 3550, 6.2). */
const silentAfterMs = 9000;

/** The media end of a session: takes packets of a publisher, or sends to a viewer. */
export interface MediaEnd {
  onOpen(nowMs: number): void;
  onPacket(bytes: Buffer, cameMs: number): void;
  tick(nowMs: number): void;
  /** The only quality that a viewer gets from now on; undefined for what fits. */
  chooseQuality?(name: string | undefined): void;
  /** Transport statistics for the API. */
  facts(): Readonly<Record<string, number>>;
  /** Once. */
  onEnd(reason: string): void;
}

/** Callbacks for the owner, each called once. */
interface ConnectionEvents {
  onOpen(connection: WebRtcConnection): void;
  onClosed(connection: WebRtcConnection): void;
}

/** One WebRTC connection, from answer to end. */
export class WebRtcConnection {
  readonly id: string;
  readonly address: string;
  readonly sinceMs = performance.now();
  readonly #events: ConnectionEvents;
  #transport: RtcTransport | undefined;
  #end: MediaEnd | undefined;
  /** In watched time: its first tick, and the first one after it was heard. */
  #beganMs: number | undefined;
  #heardMs: number | undefined;
  #isReached = false;
  #isOpen = false;
  #isClosed = false;

  constructor(id: string, address: string, events: ConnectionEvents) {
    this.id = id;
    this.address = address;
    this.#events = events;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  facts(): Readonly<Record<string, number>> | undefined {
    return this.#end?.facts();
  }

  chooseQuality(name: string | undefined): void {
    this.#end?.chooseQuality?.(name);
  }

  /** Admitted: from here its end is reported to the admission. */
  begin(end: MediaEnd, transport: RtcTransport): void {
    this.#end = end;
    this.#transport = transport;
    if (!this.#isClosed) return;
    end.onEnd('closed');
    transport.close();
  }

  onReached(): void {
    this.#isReached = true;
  }

  onOpen(): void {
    if (this.#isClosed) return;
    if (!this.#isOpen) this.#events.onOpen(this);
    this.#isOpen = true;
    this.#heardMs = undefined;
    this.#end?.onOpen(performance.now());
  }

  onPacket(bytes: Buffer, waitedMs: number): void {
    if (this.#isClosed) return;
    this.#heardMs = undefined;
    this.#end?.onPacket(bytes, performance.now() - waitedMs);
  }

  /**
   * `patienceMs` is how long it may take to be reached. Silence is `watchedMs`: what came while this process stood still waits to
   * be read.
   */
  tick({ nowMs, watchedMs }: { nowMs: number; watchedMs: number }, patienceMs: number): void {
    this.#beganMs ??= watchedMs;
    this.#heardMs ??= watchedMs;
    const withinMs = this.#isReached ? secureWithinMs : patienceMs;
    if (!this.#isOpen && watchedMs - this.#beganMs > withinMs) this.close('did not connect');
    else if (this.#isOpen && watchedMs - this.#heardMs > silentAfterMs) this.close('nothing received');
    else this.#end?.tick(nowMs);
  }

  close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end?.onEnd(reason);
    this.#transport?.close();
    this.#events.onClosed(this);
  }
}
