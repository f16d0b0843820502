import type { ClientCounters } from '../../hub/clients/client-info.ts';
import type { ReportRow, WorkerNote } from '../link/notes.ts';

const everyMs = 1000;
/** Time for which statistics are reported after someone looked. */
const lookedMs = 10_000;
/** Limit per report, in turns. */
const mostFacts = 256;
interface Reported {
  readonly counters: ClientCounters;
  readonly facts: () => Readonly<Record<string, number>> | undefined;
  /** Publishers are reported every second, because their streams are judged by it. */
  readonly isPublisher: boolean;
  isTold: boolean;
}

/** Reports counters to the engine every second, which also proves that the worker is alive. */
export class ClientReports {
  readonly #send: (note: WorkerNote) => void;
  readonly #clients = new Map<number, Reported>();
  readonly #timer: NodeJS.Timeout;
  #turn = 0;
  #lookUntilMs: number;

  /** Reports transport statistics once, and then while someone looks; always where they cost nothing. */
  constructor(tell: (note: WorkerNote) => void, areFactsFree: boolean) {
    this.#send = tell;
    this.#lookUntilMs = areFactsFree ? Number.POSITIVE_INFINITY : 0;
    this.#timer = setInterval(() => this.#report(), everyMs);
  }

  get size(): number {
    return this.#clients.size;
  }

  enter(client: number, facts: Reported['facts'], isPublisher = false): ClientCounters {
    const counters = { bytesIn: 0, bytesOut: 0, droppedFrames: 0 };
    this.#clients.set(client, { counters, facts, isPublisher, isTold: false });
    return counters;
  }

  /** Called exactly once per client, also for refused ones. */
  leave(client: number, reason: string): void {
    const counters = this.#clients.get(client)?.counters ?? { bytesIn: 0, bytesOut: 0, droppedFrames: 0 };
    this.#clients.delete(client);
    this.#send({ type: 'left', client, reason, counters });
  }

  look(): void {
    this.#lookUntilMs = Math.max(this.#lookUntilMs, performance.now() + lookedMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #report(): void {
    const isLookedAt = performance.now() < this.#lookUntilMs;
    const rounds = Math.max(1, Math.ceil(this.#clients.size / mostFacts));
    this.#turn = (this.#turn + 1) % rounds;
    const rows: ReportRow[] = [];
    let at = 0;
    for (const [client, reported] of this.#clients) {
      const isTurn = isLookedAt ? at % rounds === this.#turn : !reported.isTold;
      at += 1;
      reported.isTold = true;
      const facts = isTurn || reported.isPublisher ? reported.facts() : undefined;
      rows.push(facts ? [client, reported.counters, facts] : [client, reported.counters]);
    }
    this.#send({ type: 'report', rows, residentBytes: process.memoryUsage.rss() });
  }
}
