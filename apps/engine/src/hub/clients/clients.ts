import { randomBytes } from 'node:crypto';
import { streamKey } from '@weir/streams';
import { streamPlaceOf } from '../program/input-place.ts';
import type { ClientCounters, ClientInfo } from './client-info.ts';

const samples = 8;

interface BytesPerSecond {
  readonly in: number;
  readonly out: number;
}

/** Counters of a client at the last few ticks, from which its bitrate follows without work per frame. */
export class ByteHistory {
  /** Time, bytes in, bytes out of each sample, oldest overwritten first. */
  readonly #ring: number[];
  #next = 0;

  constructor(nowMs: number) {
    this.#ring = new Array<number>(samples * 3).fill(0);
    for (let slot = 0; slot < samples; slot++) this.#ring[slot * 3] = nowMs;
  }

  add(nowMs: number, bytesIn: number, bytesOut: number): void {
    this.#ring[this.#next] = nowMs;
    this.#ring[this.#next + 1] = bytesIn;
    this.#ring[this.#next + 2] = bytesOut;
    this.#next = (this.#next + 3) % this.#ring.length;
  }

  /** Average since the youngest sample that is at least this old; since the beginning for one that came later. */
  perSecond(windowMs: number, nowMs: number, bytesIn: number, bytesOut: number): BytesPerSecond {
    let from = this.#next;
    for (let step = 1; step < samples; step++) {
      const slot = (this.#next + step * 3) % this.#ring.length;
      if (nowMs - (this.#ring[slot] ?? 0) < windowMs) break;
      from = slot;
    }
    const seconds = Math.max(1, nowMs - (this.#ring[from] ?? 0)) / 1000;
    const rate = (now: number, then = 0) => (now - then) / seconds;
    return { in: rate(bytesIn, this.#ring[from + 1]), out: rate(bytesOut, this.#ring[from + 2]) };
  }
}

/** `isGlance`: returns known values only; without it, the other process is asked for new ones. */
export type Transport = (isGlance?: boolean) => Readonly<Record<string, number>> | undefined;

/** Read interval of publishers on standby, such as inputs of a program that are not on air. */
export const standbyReadMs = 50;

/** A peer as the hub keeps it: who it is, what passed, and how to end it. */
export interface ClientEntry {
  readonly info: ClientInfo;
  /** Key of its stream. */
  readonly key: string;
  readonly counters: ClientCounters;
  readonly history: ByteHistory;
  /** Dropped frames that samples have counted. */
  sampledDrops: number;
  /** Age of the oldest data queued for it; set by its server, where known. */
  lag?: () => number | undefined;
  /** The same when samples last looked, and whether that is much more than others have. */
  behindMs: number | undefined;
  isSlow: boolean;
  /** Name of the lower quality that a viewer gets; undefined for the best one. Set by its server. */
  quality?: string | undefined;
  /** Transport statistics where available: round trip, loss, repairs. Read on demand. */
  readonly transport?: Transport;
  /** For a program: who publishes the input on air. */
  onAir?: () => ClientEntry | undefined;
  /** For publishers over TCP: false when the peer has been silent for a while and answers no ping. Set by its server. */
  answers?: () => Promise<boolean>;
  /** For publishers over TCP: on standby, frames may be read in batches. Set by the server. */
  setStandby?: (isStandby: boolean) => void;
  kick(reason: string): void;
}

/** Counters are looked at this often: seldom enough to cost nothing with thousands of viewers. */
const sampleMs = 5000;

/** All current publishers and players. */
export class Clients {
  readonly #entries = new Map<string, ClientEntry>();
  #goneIn = 0;
  #goneOut = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Ids are unguessable, because knowing one is enough to disconnect the client. */
  static newId(): string {
    return randomBytes(8).toString('hex');
  }

  static entry(info: ClientInfo, kick: (reason: string) => void, transport?: Transport): ClientEntry {
    return {
      info,
      key: streamKey(streamPlaceOf(info)),
      sampledDrops: 0,
      behindMs: undefined,
      isSlow: false,
      counters: { bytesIn: 0, bytesOut: 0, droppedFrames: 0 },
      history: new ByteHistory(info.connectedAt.getTime()),
      kick,
      ...(transport && { transport }),
    };
  }

  get size(): number {
    return this.#entries.size;
  }

  add(entry: ClientEntry): void {
    this.#entries.set(entry.info.id, entry);
    this.#timer ??= this.#schedule();
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#goneIn += entry.counters.bytesIn;
    this.#goneOut += entry.counters.bytesOut;
    if (this.#entries.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get(id: string): ClientEntry | undefined {
    return this.#entries.get(id);
  }

  all(): IterableIterator<ClientEntry> {
    return this.#entries.values();
  }

  /** Bytes from and to all clients since the start, including those that left. */
  totals(): Pick<ClientCounters, 'bytesIn' | 'bytesOut'> {
    let bytesIn = this.#goneIn;
    let bytesOut = this.#goneOut;
    for (const { counters } of this.#entries.values()) {
      bytesIn += counters.bytesIn;
      bytesOut += counters.bytesOut;
    }
    return { bytesIn, bytesOut };
  }

  #schedule(): NodeJS.Timeout {
    return setTimeout(this.#sample, sampleMs).unref();
  }

  readonly #sample = (): void => {
    const nowMs = Date.now();
    for (const { counters, history } of this.#entries.values()) history.add(nowMs, counters.bytesIn, counters.bytesOut);
    this.#timer = this.#schedule();
  };
}
