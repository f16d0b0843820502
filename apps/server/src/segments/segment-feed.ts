import type { FinishedSegment } from '@weir/dialect';
import type { Log } from '@weir/plane';
import { type Clock, systemClock } from '../core/clock.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import { RecentIds } from './recent-ids.ts';
import { SegmentDemand } from './segment-demand.ts';
import { SegmentQueue } from './segment-queue.ts';
import type { SegmentSpool } from './segment-spool.ts';

/** Consumer of segments: recorder, transcript or OCR. */
export interface SegmentConsumer {
  readonly name: string;
  /** Segments that may wait for it. Files wait with them, so the bound is also one of disk space. */
  readonly most: number;
  readonly width?: number;
  /** True if it takes any; while no consumer does, the engine writes none. Call `changed` after a change. */
  isOn(): Promise<boolean>;
  /** In order within a stream. The file may be gone afterwards: who wants to keep it gives it another name. */
  take(segment: FinishedSegment): Promise<void>;
  /** Called for a segment that this consumer does not get: the queue is full or taking it failed. */
  miss(segment: FinishedSegment, error: unknown): void;
}

const defaultWidth = 2;
/** Interval of spool scans for unreported segments: the engine may have been killed before its hook. */
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

  /** Reads waiting segments from the spool. Awaited at the start, before hooks, so that old segments come first. */
  async scan(): Promise<void> {
    for (const waiting of await this.#spool.list()) {
      if (this.#held.has(waiting.id)) continue;
      // A finished segment that is still there could not be removed before.
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

  /** True if any consumer takes segments now. */
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
