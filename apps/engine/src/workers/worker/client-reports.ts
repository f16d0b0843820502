import type { ClientCounters } from '../../hub/clients/client-info.ts';
import type { ReportRow, WorkerNote } from '../link/notes.ts';

const everyMs = 1000;
interface Reported {
  readonly counters: ClientCounters;
  readonly facts: () => Readonly<Record<string, number>> | undefined;
}

/** Tells the engine every second what passed, and with that that we live. */
export class ClientReports {
  readonly #tell: (note: WorkerNote) => void;
  readonly #clients = new Map<number, Reported>();
  readonly #mostFacts: number;
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  /** How a transport does is asked of `mostFacts` at a time, in turns: it should not cost more than it is worth. */
  constructor(tell: (note: WorkerNote) => void, mostFacts: number) {
    this.#tell = tell;
    this.#mostFacts = mostFacts;
    this.#timer = setInterval(() => this.#report(), everyMs);
  }

  get size(): number {
    return this.#clients.size;
  }

  enter(client: number, facts: Reported['facts']): ClientCounters {
    const counters = { bytesIn: 0, bytesOut: 0, droppedFrames: 0 };
    this.#clients.set(client, { counters, facts });
    return counters;
  }

  /** Once for each, whether or not it ever came in. */
  leave(client: number, reason: string): void {
    const counters = this.#clients.get(client)?.counters ?? { bytesIn: 0, bytesOut: 0, droppedFrames: 0 };
    this.#clients.delete(client);
    this.#tell({ type: 'left', client, reason, counters });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #report(): void {
    const rounds = Math.max(1, Math.ceil(this.#clients.size / this.#mostFacts));
    this.#turn = (this.#turn + 1) % rounds;
    const rows: ReportRow[] = [];
    let at = 0;
    for (const [client, { counters, facts }] of this.#clients) {
      const told = at++ % rounds === this.#turn ? facts() : undefined;
      rows.push(told ? [client, counters, told] : [client, counters]);
    }
    this.#tell({ type: 'report', rows, residentBytes: process.memoryUsage.rss() });
  }
}
