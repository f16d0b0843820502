import type { FinishedSegment } from '@weir/dialect';
import type { Log } from '@weir/plane';
import { type Clock, systemClock } from '../core/clock.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import { RecentIds } from './recent-ids.ts';
import { SegmentDemand } from './segment-demand.ts';
import { SegmentQueue } from './segment-queue.ts';
import type { SegmentSpool } from './segment-spool.ts';

/** Somebody who does something with segments: records, transcribes, reads pictures. */
export interface SegmentConsumer {
  readonly name: string;
  /** Segments that may wait for it. Files wait with them, so the bound is also one of disk space. */
  readonly most: number;
  readonly width?: number;
  /** Whether it takes any at all; while no consumer does the engine keeps none. Who changes it calls `changed`. */
  isOn(): Promise<boolean>;
  /** In order within a stream. The file may be gone afterwards: who wants to keep it gives it another name. */
  take(segment: FinishedSegment): Promise<void>;
  /** One that this consumer will not get: too many wait, or taking it failed. */
  miss(segment: FinishedSegment, error: unknown): void;
}

const defaultWidth = 2;
/** How often the spool is looked through for what no hook told of: the engine may have been killed before it did. */
const scanMs = 5000;
/** Ids that are remembered after the entry is gone: its hook may still come. */
const mostDone = 2000;

interface Context {
  readonly spool: SegmentSpool;
  readonly mediaServer: Pick<MediaServer, 'applySettings'>;
  readonly log: Log;
  readonly clock?: Clock;
}

/** Hands every finished segment to every consumer. None of them delays another, or whoever tells of segments. */
export class SegmentFeed {
  readonly #spool: SegmentSpool;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #wish: SegmentDemand;
  readonly #queues: { readonly consumer: SegmentConsumer; readonly queue: SegmentQueue }[] = [];
  /** Consumers that still have to take it, by id. */
  readonly #held = new Map<string, number>();
  readonly #done = new RecentIds(mostDone);

  constructor({ spool, mediaServer, log, clock = systemClock }: Context) {
    this.#spool = spool;
    this.#log = log;
    this.#clock = clock;
    this.#wish = new SegmentDemand(mediaServer, () => this.isWanted());
  }

  /** To be called before the first segment comes. */
  add(consumer: SegmentConsumer): void {
    const { name, most, width = defaultWidth } = consumer;
    const work = async (segment: FinishedSegment) => {
      await consumer.take(segment).catch((error: unknown) => {
        this.#log.warn({ consumer: name, stream: segment.stream, err: error }, 'a segment was not processed');
        consumer.miss(segment, error);
      });
      await this.#release(segment);
    };
    this.#queues.push({ consumer, queue: new SegmentQueue({ most, width, work }) });
  }

  /** A consumer was switched on or off. Resolves once the engine knows, or could not be told and will be. */
  async changed(): Promise<void> {
    await this.#wish.tell().catch(() => undefined);
  }

  /** For an engine that has not been told yet. */
  push(): Promise<void> {
    return this.#wish.tellAnew();
  }

  /** For the engine's words; what waits in the spool comes the same way. */
  tell(segment: FinishedSegment): void {
    if (this.#isKnown(segment.id)) return;
    this.#held.set(segment.id, this.#queues.length + 1);
    for (const { consumer, queue } of this.#queues) {
      if (queue.push(segment)) continue;
      consumer.miss(segment, new Error('too many segments are waiting'));
      void this.#release(segment);
    }
    void this.#release(segment);
  }

  /** Whatever waits in the spool. Awaited at the start, before hooks are heard, so that old segments come first. */
  async scan(): Promise<void> {
    for (const waiting of await this.#spool.list()) {
      if (this.#held.has(waiting.id)) continue;
      // One that is done and still there could not be removed then.
      if (this.#done.has(waiting.id)) {
        await this.#spool.removeWaiting(waiting);
        continue;
      }
      const segment = await this.#spool.read(waiting);
      if (segment) this.tell(segment);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.pause(scanMs, signal).catch(() => undefined);
      if (signal.aborted) break;
      await this.changed();
      await this.scan();
    }
    await this.idle();
  }

  /** Resolves when every consumer has worked off what it was given. */
  async idle(): Promise<void> {
    await Promise.all(this.#queues.map(({ queue }) => queue.idle()));
  }

  /** Whether anybody would take one now. */
  async isWanted(): Promise<boolean> {
    for (const { consumer } of this.#queues) if (await consumer.isOn()) return true;
    return false;
  }

  #isKnown(id: string): boolean {
    return this.#held.has(id) || this.#done.has(id);
  }

  async #release(segment: FinishedSegment): Promise<void> {
    const left = (this.#held.get(segment.id) ?? 1) - 1;
    if (left > 0) {
      this.#held.set(segment.id, left);
      return;
    }
    // Remembered first: a scan that runs now must not offer it again.
    this.#done.add(segment.id);
    this.#held.delete(segment.id);
    if (this.#spool.has(segment.file)) await this.#spool.remove(segment.file);
  }
}
