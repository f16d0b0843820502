import type { FinishedSegment } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { placeText, type SegmentFormatName, segmentFormatNames, segmentFormats } from '@weir/streams';
import { type Clock, systemClock } from '../core/clock.ts';
import { Mutex } from '../core/mutex.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import { RecentIds } from './recent-ids.ts';
import type { SegmentSpool } from './segment-spool.ts';

interface QueueOptions {
  /** Segments that may wait; one more is missed. */
  readonly most: number;
  /** Streams that are worked on at the same time. */
  readonly width: number;
  /** Must not throw. */
  readonly work: (segment: FinishedSegment) => Promise<void>;
}

/** Segments that wait for one consumer: in order within a stream, a few streams at a time, never more than a bound. */
class SegmentQueue {
  readonly #options: QueueOptions;
  readonly #lanes = new Map<string, FinishedSegment[]>();
  #waiting = 0;
  #running = 0;
  #idle = Promise.withResolvers<void>();

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#idle.resolve();
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** False when there is no room. */
  push(segment: FinishedSegment): boolean {
    if (this.#waiting >= this.#options.most) return false;
    if (this.#waiting === 0 && this.#running === 0) this.#idle = Promise.withResolvers<void>();
    this.#waiting++;
    const key = placeText(segment);
    const lane = this.#lanes.get(key);
    // A lane that is there is being worked on, or waits for its turn.
    if (lane) lane.push(segment);
    else {
      this.#lanes.set(key, [segment]);
      this.#start();
    }
    return true;
  }

  /** Resolves when the queues are empty and idle. */
  idle(): Promise<void> {
    return this.#idle.promise;
  }

  readonly #active = new Set<string>();

  #start(): void {
    for (const key of this.#lanes.keys()) {
      if (this.#running >= this.#options.width) return;
      if (this.#active.has(key)) continue;
      this.#active.add(key);
      this.#running++;
      void this.#workOff(key);
    }
  }

  /** Takes one segment, then the next waiting stream: a long backlog does not delay others. */
  async #workOff(key: string): Promise<void> {
    const lane = this.#lanes.get(key) ?? [];
    const segment = lane.shift();
    if (segment) {
      this.#waiting--;
      await this.#options.work(segment);
    }
    this.#lanes.delete(key);
    if (lane.length > 0) this.#lanes.set(key, lane);
    this.#active.delete(key);
    this.#running--;
    this.#start();
    if (this.#waiting === 0 && this.#running === 0) this.#idle.resolve();
  }
}

type Formats = readonly SegmentFormatName[];

interface Demand {
  readonly segmentFormats: Formats;
  /** Lower qualities. */
  readonly segmentQualities: readonly string[];
}

/**
 * Tells the engine in which formats and qualities consumers take segments. With many streams and no recording, writing and reporting
 * segments would be a quarter of all work. By default the engine writes all of them.
 */
class SegmentDemand {
  readonly #mediaServer: Pick<MediaServer, 'applySettings'>;
  readonly #wanted: () => Promise<Demand>;
  readonly #turns = new Mutex();
  /** Undefined when that is not certain. */
  #told: string | undefined;

  constructor(mediaServer: Pick<MediaServer, 'applySettings'>, wanted: () => Promise<Demand>) {
    this.#mediaServer = mediaServer;
    this.#wanted = wanted;
  }

  tell(): Promise<void> {
    return this.#turns.take(async () => {
      const wanted = await this.#wanted();
      const words = JSON.stringify(wanted);
      if (words === this.#told) return;
      this.#told = undefined;
      await this.#mediaServer.applySettings(wanted);
      this.#told = words;
    });
  }

  async tellAnew(): Promise<void> {
    await this.#turns.take(async () => {
      this.#told = undefined;
    });
    await this.tell();
  }
}

/** Consumer of segments: recorder, transcript or OCR. */
export interface SegmentConsumer {
  readonly name: string;
  /** Segments that may wait for it. Files wait with them, so the bound is also one of disk space. */
  readonly most: number;
  readonly width?: number;
  /** True if it takes any; while no consumer does, the engine writes none. Call `changed` after a change. */
  isOn(): Promise<boolean>;
  /** Formats that it consumes while active; MPEG-TS by default. It gets no other formats. */
  readonly formats?: { readonly known: Formats; wanted(): Promise<Formats> };
  /** Lower qualities it takes while it is on; it gets the stream itself only unless it says so. */
  readonly qualities?: () => Promise<readonly string[]>;
  /** In order within a stream. The file may be removed afterwards: consumers keep it by a link of their own. */
  take(segment: FinishedSegment): Promise<void>;
  /** Called for a segment that this consumer does not get: the queue is full or taking it failed. */
  miss(segment: FinishedSegment, error: unknown): void;
}

/** Format of consumers that name none: the one that viewers get. */
export const usualFormat = segmentFormats.mpegts;
const usual: Formats = [usualFormat.name];
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

/** Passes every finished segment to every consumer. A consumer delays neither the others nor the announcing call. */
export class SegmentFeed {
  readonly #spool: SegmentSpool;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #wish: SegmentDemand;
  readonly #queues: { readonly consumer: SegmentConsumer; readonly queue: SegmentQueue }[] = [];
  /** Consumers that still have to take it, by `keyOf`. */
  readonly #held = new Map<string, number>();
  readonly #done = new RecentIds(mostDone);

  constructor({ spool, mediaServer, log, clock = systemClock }: Context) {
    this.#spool = spool;
    this.#log = log;
    this.#clock = clock;
    this.#wish = new SegmentDemand(mediaServer, () => this.#wanted());
  }

  /** Called before the first segment. */
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
    const key = keyOf(segment);
    if (this.#isKnown(key)) return;
    const takes = ({ formats, qualities }: SegmentConsumer) =>
      (formats?.known ?? usual).includes(segment.format) && (segment.quality === undefined || qualities !== undefined);
    const queues = this.#queues.filter(({ consumer }) => takes(consumer));
    this.#held.set(key, queues.length + 1);
    for (const { consumer, queue } of queues) {
      if (queue.push(segment)) continue;
      consumer.miss(segment, new Error('too many segments are waiting'));
      void this.#release(segment);
    }
    void this.#release(segment);
  }

  /** Reads waiting segments from the spool. Awaited at the start, before hooks, so that old segments come first. */
  async scan(): Promise<void> {
    for (const waiting of await this.#spool.list()) {
      const key = keyOf(waiting);
      if (this.#held.has(key)) continue;
      // A finished segment that is still there could not be removed before.
      if (this.#done.has(key)) {
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
    return (await this.#wanted()).segmentFormats.length > 0;
  }

  async #wanted(): Promise<Demand> {
    const wanted = new Set<SegmentFormatName>();
    const qualities = new Set<string>();
    for (const { consumer } of this.#queues) {
      if (!(await consumer.isOn())) continue;
      for (const format of (await consumer.formats?.wanted()) ?? usual) wanted.add(format);
      for (const quality of (await consumer.qualities?.()) ?? []) qualities.add(quality);
    }
    const segmentFormats = segmentFormatNames.filter((format) => wanted.has(format));
    return { segmentFormats, segmentQualities: [...qualities] };
  }

  #isKnown(key: string): boolean {
    return this.#held.has(key) || this.#done.has(key);
  }

  async #release(segment: FinishedSegment): Promise<void> {
    const key = keyOf(segment);
    const left = (this.#held.get(key) ?? 1) - 1;
    if (left > 0) {
      this.#held.set(key, left);
      return;
    }
    // Remembered first: a scan that runs now must not offer it again.
    this.#done.add(key);
    this.#held.delete(key);
    if (this.#spool.has(segment.file)) await this.#spool.remove(segment.file);
  }
}

/** A stretch of a stream has the same id in every format. */
function keyOf({ id, format }: Pick<FinishedSegment, 'id' | 'format'>): string {
  return `${format} ${id}`;
}
