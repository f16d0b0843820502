import { randomBytes } from 'node:crypto';
import type { ClientCounters, ClientInfo } from './client-info.ts';

export type Transport = () => Readonly<Record<string, number>> | undefined;

/** A peer as the hub keeps it: who it is, what passed, and how to end it. */
export interface ClientEntry {
  readonly info: ClientInfo;
  readonly counters: ClientCounters;
  /** How its transport does, where that can be told: round trip, loss, repairs. Asked for when somebody looks. */
  readonly transport?: Transport;
  kick(reason: string): void;
}

/** Everybody who publishes or plays now. */
export class Clients {
  readonly #entries = new Map<string, ClientEntry>();

  /** Ids are unguessable: whoever knows one may end that client. */
  static newId(): string {
    return randomBytes(8).toString('hex');
  }

  static entry(info: ClientInfo, kick: (reason: string) => void, transport?: Transport): ClientEntry {
    const counters = { bytesIn: 0, bytesOut: 0, droppedFrames: 0 };
    return { info, counters, kick, ...(transport && { transport }) };
  }

  get size(): number {
    return this.#entries.size;
  }

  add(entry: ClientEntry): void {
    this.#entries.set(entry.info.id, entry);
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  get(id: string): ClientEntry | undefined {
    return this.#entries.get(id);
  }

  all(): IterableIterator<ClientEntry> {
    return this.#entries.values();
  }
}
