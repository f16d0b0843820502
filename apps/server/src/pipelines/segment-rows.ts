import type { Clock } from '../core/clock.ts';
import type { Collection } from '../core/store/store.ts';
import type { PipelineSegment } from './pipeline-segment.ts';

export type QueuedSegment = PipelineSegment & { readonly queue: string };

/** Storage of rows. Only changes are written. */
export interface RowShelf<T> {
  put(row: T): Promise<void>;
  remove(row: T): Promise<void>;
}

/** Rows in a collection of the store, each by the id of its segment. */
export function rowShelf<T extends QueuedSegment>(rows: Collection<T>): RowShelf<T> & { all(): Promise<T[]> } {
  return {
    /** In their order. */
    all: async () => (await rows.list()).map(({ value }) => value).sort((a, b) => a.order - b.order),
    put: (row) => rows.put(row.id, row),
    remove: async (row) => void (await rows.delete(row.id)),
  };
}

/** Segments in their order, each in one of several queues: in memory as they are in the store. */
export class SegmentRows<T extends QueuedSegment> {
  readonly #shelf: RowShelf<T>;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #rows: T[];
  /** When each came into its queue, on the clock that cannot be set. */
  readonly #since = new Map<string, number>();

  constructor(shelf: RowShelf<T>, clock: Pick<Clock, 'elapsedMs'>, kept: readonly T[]) {
    this.#shelf = shelf;
    this.#clock = clock;
    this.#rows = [...kept];
    for (const { id } of kept) this.#since.set(id, clock.elapsedMs());
  }

  get all(): readonly T[] {
    return this.#rows;
  }

  of(queue: T['queue']): T[] {
    return this.#rows.filter((row) => row.queue === queue);
  }

  find(id: string): T | undefined {
    return this.#rows.find((row) => row.id === id);
  }

  after({ id }: T): T | undefined {
    return this.#rows[this.#rows.findIndex((row) => row.id === id) + 1];
  }

  /** Time spent in the queue. */
  waitedMs({ id }: T): number {
    const nowMs = this.#clock.elapsedMs();
    return nowMs - (this.#since.get(id) ?? nowMs);
  }

  /** Changes a row, or adds it behind all others. */
  async put(row: T): Promise<void> {
    await this.#shelf.put(row);
    const before = this.find(row.id);
    this.#rows = before ? this.#rows.map((one) => (one.id === row.id ? row : one)) : [...this.#rows, row];
    if (before?.queue !== row.queue) this.#since.set(row.id, this.#clock.elapsedMs());
  }

  async remove(row: T): Promise<void> {
    await this.#shelf.remove(row);
    this.#rows = this.#rows.filter(({ id }) => id !== row.id);
    this.#since.delete(row.id);
  }
}
