import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@weir/plane';
import type { FinishedSegment } from '../core/events.ts';
import { RecentIds } from './recent-ids.ts';
import type { Segment } from './segment.ts';
import { SegmentQueue } from './segment-queue.ts';
import type { SegmentSpool } from './segment-spool.ts';

/** Somebody who does something with segments: records, transcribes, reads pictures. */
export interface SegmentConsumer {
  readonly name: string;
  /** Segments that may wait for it. Files wait with them, so the bound is also one of disk space. */
  readonly most: number;
  readonly width?: number;
  /** In order within a stream. The file may be gone afterwards: who wants to keep it gives it another name. */
  take(segment: Segment): Promise<void>;
  /** One that this consumer will not get: too many wait, or taking it failed. */
  miss(segment: Segment, error: unknown): void;
}

const defaultWidth = 2;
/** How often the spool is looked through for what no hook told of: the engine may have been killed before it did. */
const scanMs = 5000;
/** Ids that are remembered after the entry is gone: its hook may still come. */
const mostDone = 2000;

/** Hands every finished segment to every consumer. None of them delays another, or whoever tells of segments. */
export class SegmentFeed {
  readonly #spool: SegmentSpool;
  readonly #log: Log;
  readonly #queues: { readonly consumer: SegmentConsumer; readonly queue: SegmentQueue }[] = [];
  /** Consumers that still have to take it, by id. */
  readonly #held = new Map<string, number>();
  readonly #done = new RecentIds(mostDone);

  constructor(spool: SegmentSpool, log: Log) {
    this.#spool = spool;
    this.#log = log;
  }

  /** To be called before the first segment comes. */
  add(consumer: SegmentConsumer): void {
    const { name, most, width = defaultWidth } = consumer;
    const work = async (segment: Segment) => {
      await consumer.take(segment).catch((error: unknown) => {
        this.#log.warn({ consumer: name, stream: segment.stream, err: error }, 'a segment was not taken');
        consumer.miss(segment, error);
      });
      await this.#release(segment);
    };
    this.#queues.push({ consumer, queue: new SegmentQueue({ most, width, work }) });
  }

  /** What the engine tells now. */
  tell(event: FinishedSegment): void {
    const id = this.#spool.idOf(event.file) ?? randomUUID();
    const { vhost, app, stream, clientId, file, sequence, isDiscontinuity } = event;
    const durationMs = Math.round(event.durationSeconds * 1000);
    this.#offer({ id, vhost, app, stream, clientId, file, sequence, isDiscontinuity, durationMs });
  }

  /** Whatever waits in the spool. Awaited at the start, before hooks are heard, so that old segments come first. */
  async scan(): Promise<void> {
    for (const name of await this.#spool.names()) {
      const id = name.slice(-39, -3);
      if (this.#held.has(id) || this.#done.has(id)) continue;
      const segment = await this.#spool.read(name);
      if (segment) this.#offer(segment);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(scanMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.scan();
    }
    await this.idle();
  }

  /** Resolves when every consumer has worked off what it was given. */
  async idle(): Promise<void> {
    await Promise.all(this.#queues.map(({ queue }) => queue.idle()));
  }

  #offer(segment: Segment): void {
    if (this.#held.has(segment.id) || this.#done.has(segment.id)) return;
    this.#held.set(segment.id, this.#queues.length + 1);
    for (const { consumer, queue } of this.#queues) {
      if (queue.push(segment)) continue;
      consumer.miss(segment, new Error('too many segments wait'));
      void this.#release(segment);
    }
    void this.#release(segment);
  }

  async #release(segment: Segment): Promise<void> {
    const left = (this.#held.get(segment.id) ?? 1) - 1;
    if (left > 0) {
      this.#held.set(segment.id, left);
      return;
    }
    // Remembered first: a scan that runs now must not offer it again.
    this.#done.add(segment.id);
    this.#held.delete(segment.id);
    if (this.#spool.idOf(segment.file) !== undefined) await this.#spool.remove(segment.file);
  }
}
