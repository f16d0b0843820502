import type { HlsSettings } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import type { SegmentFormatName } from '@weir/streams';
import type { SharedMemory } from '../../delivery/shared-memory.ts';
import type { Gate } from '../../hub/clients/gate.ts';
import type { FrameSource } from '../../hub/stream.ts';
import { type HlsClock, systemClock } from './hls-clock.ts';
import { renditionMark, renditionPattern } from './hls-renditions.ts';
import { toHlsRules } from './hls-settings.ts';
import { type HlsSource, HlsStream, publicFormat } from './hls-stream.ts';
import { SegmentCache } from './segment-cache.ts';
import { findLeftovers, type Leftovers, leftoverKey, removeLeftovers } from './segments/leftover-files.ts';
import { StreamPaths, segmentRest } from './segments/stream-paths.ts';

export interface HlsStreamsOptions {
  /** Called for every finished segment. */
  readonly gate: Pick<Gate, 'segment'>;
  readonly settings: HlsSettings;
  /** Segments lie below it, as `<app>/<stream>-<number>-<time>.ts`. */
  readonly directory: string;
  readonly log: Log;
  /** Memory for segments that are on disk, too. */
  readonly cacheBytes?: number;
  readonly memory?: SharedMemory;
  readonly clock?: HlsClock;
}

const sweepMs = 1000;
const renditionEnd = new RegExp(`^(.+)(\\${renditionMark}${renditionPattern})$`, 's');

/** HLS of every stream, packaged from its first frame even without viewers, because recording uses it. */
export class HlsStreams {
  /** Segments and parts in memory, by the path of their address. */
  readonly pieces: SegmentCache;
  readonly #options: HlsStreamsOptions;
  /** Clock of all waiting and expiry here, also for the servers of the streams. */
  readonly clock: HlsClock;
  readonly #streams = new Map<string, HlsStream>();
  #settings: HlsSettings;
  #recorded: readonly SegmentFormatName[] = [];
  #leftovers: Leftovers | undefined;
  #removeLeftoversAtMs = 0;
  #removal: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onGone: (key: string) => void = () => undefined;
  #isClosed = false;

  constructor(options: HlsStreamsOptions) {
    this.#options = options;
    this.pieces = new SegmentCache(options.cacheBytes, options.memory);
    this.clock = options.clock ?? systemClock(sweepMs);
    this.#settings = options.settings;
  }

  /** Restores the numbering of the engine's last run; awaited before the first stream. */
  async open(): Promise<void> {
    this.#leftovers = await findLeftovers(this.#options.directory);
    // Players and the control plane may still want the newest of them for a while.
    this.#removeLeftoversAtMs = this.clock.elapsedMs() + 2 * toHlsRules(this.#settings).windowMs;
    this.#arm();
  }

  get settings(): HlsSettings {
    return this.#settings;
  }

  /** Running streams take a new length at their next cut; viewers stay. */
  update(settings: HlsSettings): void {
    this.#settings = settings;
  }

  /** Called for every stream that the hub opens. */
  follow(source: HlsSource, original: FrameSource = source): void {
    const stream = this.#streams.get(source.key) ?? this.#start(source);
    stream.follow(source, original);
    stream.record(this.#recorded);
  }

  /** Makes segments of every stream in these formats, beside those that viewers get. */
  record(formats: readonly SegmentFormatName[]): void {
    this.#recorded = formats;
    for (const stream of this.#streams.values()) stream.record(formats);
  }

  find(key: string): HlsStream | undefined {
    return this.#streams.get(key);
  }

  /** File path of a segment, if it is on disk. */
  fileOf(key: string, sequence: number, timestampMs: number): string {
    const [, stem, mark] = this.#streams.has(key) ? [] : (renditionEnd.exec(key) ?? []);
    const paths = new StreamPaths(this.#options.directory, stem ?? key, mark);
    return paths.file(segmentRest(sequence, timestampMs, publicFormat));
  }

  /** Called with the key of a stream of which nothing is left. */
  whenGone(then: (key: string) => void): void {
    this.#onGone = then;
  }

  /** Ends everything that expired. Runs once a second. */
  sweep(): void {
    const nowMs = this.clock.elapsedMs();
    for (const [key, stream] of this.#streams) {
      if (!this.#sweepOne(stream, nowMs)) continue;
      this.#streams.delete(key);
      this.#onGone(key);
    }
    if (!this.#leftovers || this.#removal || nowMs < this.#removeLeftoversAtMs) return;
    this.#removal = removeLeftovers(this.#leftovers);
  }

  /** Files stay: players may outlive a restart. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const stream of this.#streams.values()) stream.close();
    await Promise.all([this.#removal, ...[...this.#streams.values()].map((stream) => stream.idle())]);
  }

  /** Runs by the clock for all: a stream that cannot be looked after costs no other one. */
  #sweepOne(stream: HlsStream, nowMs: number): boolean {
    try {
      return stream.sweep(nowMs);
    } catch (error) {
      this.#options.log.error({ err: error, stream: stream.source.key }, 'hls stream failed');
      return false;
    }
  }

  #arm(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.sweep();
      this.#arm();
    }, sweepMs).unref();
  }

  #start(source: HlsSource): HlsStream {
    const { directory, gate, log } = this.#options;
    const beginning = new StreamPaths(directory, source.key).file('');
    const stream = new HlsStream(source, {
      directory,
      gate,
      clock: this.clock,
      hot: this.pieces,
      rules: () => toHlsRules(this.#settings),
      log: log.child({ stream: source.key }),
      firstSequence: (format) => this.#leftovers?.next.get(leftoverKey(beginning, format)) ?? 0,
    });
    this.#streams.set(source.key, stream);
    return stream;
  }
}
