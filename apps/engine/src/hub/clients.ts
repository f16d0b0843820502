import { randomBytes } from 'node:crypto';
import type { ClientCounters, ClientInfo } from './client-info.ts';

/** A peer as the hub keeps it: who it is, what passed, and how to end it. */
export interface ClientEntry {
  readonly info: ClientInfo;
  readonly counters: ClientCounters;
  kick(reason: string): void;
}

/** Everybody who publishes or plays now. */
export class Clients {
  readonly #entries = new Map<string, ClientEntry>();

  /** Ids are unguessable: whoever knows one may end that client. */
  static newId(): string {
    return randomBytes(8).toString('hex');
  }

  static entry(info: ClientInfo, kick: (reason: string) => void): ClientEntry {
    return { info, counters: { bytesIn: 0, bytesOut: 0, droppedFrames: 0 }, kick };
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
