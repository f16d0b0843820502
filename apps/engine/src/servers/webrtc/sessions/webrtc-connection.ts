import type { RtcTransport } from '../transport/rtc-transport.ts';

/** Time for the handshake of a peer that was reached. DTLS repeats lost packets five times, after 1, 2, 4, 8 and 16 s. */
const secureWithinMs = 35_000;
/** Silence after which a peer is gone. Receivers report every 5 s or so, 7.5 s at most (RFC 3550, 6.2). */
const silentAfterMs = 9000;

/** The media end of a session: takes packets of a publisher, or sends to a viewer. */
export interface MediaEnd {
  onOpen(nowMs: number): void;
  onPacket(bytes: Buffer, cameMs: number): void;
  tick(nowMs: number): void;
  /** Sets the quality that a viewer gets from now on; undefined lets the line decide. */
  chooseQuality?(name: string | undefined): void;
  /** Transport statistics for the API. */
  facts(): Readonly<Record<string, number>>;
  /** Called once. */
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
  /** Watched time of the first tick, and of the first tick after the peer was last heard. */
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
   * `patienceMs`: time in which the peer must be reached. Silence is measured in `watchedMs`, because packets that arrived while this process
   * was suspended are not read yet.
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
