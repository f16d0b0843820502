import { randomUUID } from 'node:crypto';
import { announcedTracks, type MediaFrame, type TrackConfig } from '@weir/media';
import type { Log } from '@weir/plane';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import type { Gate } from '../../hub/clients/gate.ts';
import type { Packager } from '../../hub/packager.ts';
import type { StreamView } from '../../hub/stream.ts';
import type { HlsClock } from './hls-clock.ts';
import { HlsPackager } from './hls-packager.ts';
import { disposeMs, type HlsRules } from './hls-settings.ts';
import { LlHlsPackager, longGroupMs, partTargetMs } from './low-latency/ll-hls-packager.ts';
import type { PartStore } from './low-latency/part-store.ts';
import type { SegmentCache } from './segment-cache.ts';
import { FrameDates } from './segments/frame-dates.ts';
import type { TsSegment } from './segments/segment-store.ts';
import { SegmentWriter } from './segments/segment-writer.ts';
import { StreamPaths } from './segments/stream-paths.ts';
import { TargetDuration } from './segments/target-duration.ts';
import { HlsSubtitles } from './subtitles/hls-subtitles.ts';

/** Request that waits for something in the future. */
interface Waiter {
  /** Answers when there is something to say, and tells whether it did. */
  readonly attempt: () => boolean;
  readonly onTimeout: () => void;
  readonly deadlineMs: number;
}

/** Requests that are answered later. One list, looked at when something happened and at each tick. */
class Waiters {
  #waiting = new Set<Waiter>();

  /** Answers at once if it can. The returned function forgets the waiter. */
  add(waiter: Waiter): () => void {
    if (!waiter.attempt()) this.#waiting.add(waiter);
    return () => this.#waiting.delete(waiter);
  }

  wake(): void {
    for (const waiter of this.#waiting) if (waiter.attempt()) this.#waiting.delete(waiter);
  }

  expire(nowMs: number): void {
    for (const waiter of this.#waiting) {
      if (waiter.deadlineMs > nowMs) continue;
      this.#waiting.delete(waiter);
      waiter.onTimeout();
    }
  }

  /** Answers all waiting requests with failure. */
  giveUp(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const waiter of waiting) waiter.onTimeout();
  }
}

/** Hub stream as HLS sees it. */
export interface HlsSource extends StreamView {
  readonly publisher: { readonly info: ClientInfo } | undefined;
}

interface HlsStreamOptions {
  readonly directory: string;
  readonly firstSequence: number;
  readonly rules: () => HlsRules;
  readonly hot: SegmentCache;
  readonly gate: Pick<Gate, 'segment'>;
  readonly clock: HlsClock;
  readonly log: Log;
}

/** A publisher that returns this soon goes on in the segment it left. */
const settleMs = 500;
/** Low-latency parts are made while somebody asked for them this recently. */
const idleMs = 30_000;
/** 2023-11-14, so that numbers counted in seconds from it stay short. */
const numberingEpochSeconds = 1_700_000_000;

/** HLS state of one stream. It outlives the hub's stream for as long as a publisher may take to return. */
export class HlsStream implements Packager {
  /** Requests for an ordinary playlist that has no segment yet. */
  readonly waiters = new Waiters();
  /** Requests for what low-latency players were promised. */
  readonly llWaiters = new Waiters();
  readonly packager: HlsPackager;
  readonly subtitles: HlsSubtitles;
  readonly #options: HlsStreamOptions;
  readonly #paths: StreamPaths;
  readonly #writer: SegmentWriter;
  readonly #dates: FrameDates;
  /** Outlives the packager: players that stay are told the same when it starts again. */
  readonly #lowTarget = new TargetDuration();
  #source: HlsSource;
  #publisher: ClientInfo | undefined;
  #low: LlHlsPackager | undefined;
  #lowRequestedAtMs = 0;
  #isOver = false;

  readonly #announcesVideo = (): boolean => announcedTracks(this.#source.metadata).video;

  constructor(source: HlsSource, options: HlsStreamOptions) {
    this.#source = source;
    this.#options = options;
    this.#paths = new StreamPaths(options.directory, source.key);
    this.#writer = new SegmentWriter(options.log);
    this.#dates = new FrameDates(() => options.clock.dateMs());
    this.subtitles = new HlsSubtitles({ name: this.#paths.name, subtitles: () => this.#source.subtitles });
    this.packager = new HlsPackager({
      ...options,
      paths: this.#paths,
      dates: this.#dates,
      writer: this.#writer,
      announcesVideo: this.#announcesVideo,
      onSegment: () => this.waiters.wake(),
      onFile: (segment) => this.#report(segment),
    });
  }

  get source(): HlsSource {
    return this.#source;
  }

  /** True if it can be watched now, or could a moment ago and may again soon. */
  get isWatchable(): boolean {
    return this.#source.isLive || this.packager.hasPlaylist;
  }

  /** True when a master playlist may say that all segments (`isLow`: those of low latency) begin with a keyframe. */
  hasIndependentSegments(isLow: boolean): boolean {
    if (!isLow) return this.packager.hasIndependentSegments();
    return this.packager.hasIndependentSegments(Math.min(longGroupMs, this.#lowTarget.limitMs ?? longGroupMs));
  }

  /** Takes the frames of the hub's stream of this name, the same one or the next. */
  follow(source: HlsSource): void {
    this.#source = source;
    this.#isOver = false;
    source.attach(this);
  }

  /** Low-latency parts, if somebody watches them. */
  get lowShelf(): PartStore | undefined {
    return this.#low?.shelf;
  }

  /** Starts making parts; they stop after a while without requests. */
  watchLow(): PartStore | undefined {
    this.#lowRequestedAtMs = this.#options.clock.elapsedMs();
    if (this.#source.isLive) this.#low ??= this.#startLow();
    return this.#low?.shelf;
  }

  onConfig(config: TrackConfig): void {
    this.packager.onConfig(config);
    this.#low?.onConfig(config);
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    this.packager.onTrackMissing(kind);
    this.#low?.onTrackMissing(kind);
  }

  onFrame(frame: MediaFrame): void {
    this.#publisher = this.#source.publisher?.info ?? this.#publisher;
    this.packager.onFrame(frame);
    this.#low?.onFrame(frame);
    // After them: a frame of another clock must not date the segment that it ends.
    this.#dates.observe(frame);
  }

  onDiscontinuity(): void {
    this.packager.onDiscontinuity();
    this.#low?.onDiscontinuity();
  }

  close(): void {
    this.#isOver = true;
    this.packager.close();
    this.#stopLow();
  }

  /** Looks at the clock. True when nothing is left of the stream. */
  sweep(nowMs: number): boolean {
    this.waiters.expire(nowMs);
    this.llWaiters.expire(nowMs);
    if (nowMs - this.#lowRequestedAtMs >= idleMs) this.#stopLow();
    // The publisher's last frames must not wait for its return; frames still being converted belong to them.
    const isSettled = !this.#source.isLive && !this.#source.isDraining;
    if (isSettled && nowMs - this.packager.lastFrameAtMs >= settleMs) this.onDiscontinuity();
    if (!this.#isOver || nowMs - this.packager.lastFrameAtMs < disposeMs) return false;
    this.dispose();
    return true;
  }

  dispose(): void {
    this.#stopLow();
    this.packager.dispose();
    this.waiters.giveUp();
  }

  /** Resolves when the disk has everything it was given. */
  idle(): Promise<void> {
    return this.#writer.idle();
  }

  #startLow(): LlHlsPackager {
    const { clock, hot, log } = this.#options;
    const low = new LlHlsPackager({
      paths: this.#paths,
      hot,
      dates: this.#dates,
      target: this.#lowTarget,
      longestGroupMs: this.packager.longestGroupMs,
      log,
      announcesVideo: this.#announcesVideo,
      partTargetMs,
      // Segments last longer than a second: a later start counts from a higher number than any earlier one reached.
      firstSequence: Math.floor(clock.dateMs() / 1000) - numberingEpochSeconds,
      onChange: () => this.llWaiters.wake(),
    });
    const { video, audio } = this.#source;
    if (video) low.onConfig(video);
    if (audio) low.onConfig(audio);
    low.catchUp(this.#source.cached());
    log.info('low-latency HLS started');
    return low;
  }

  #stopLow(): void {
    if (!this.#low) return;
    this.#low.close();
    this.#low = undefined;
    this.llWaiters.giveUp();
    this.#options.log.info('low-latency HLS stopped');
  }

  #report(segment: TsSegment): void {
    if (!this.#publisher) return;
    const { file, url, durationMs, sequence, isDiscontinuity, isIndependent } = segment;
    const { vhost, app, name } = this.#publisher.place;
    this.#options.gate.segment(
      {
        id: randomUUID(),
        vhost,
        app,
        stream: name,
        clientId: this.#publisher.id,
        file,
        durationMs: Math.round(durationMs),
        sequence,
        isDiscontinuity,
        isIndependent,
      },
      this.#publisher,
      { url: url.slice(1), m3u8: this.#paths.file('.m3u8'), m3u8Url: this.#paths.url('.m3u8').slice(1) },
    );
  }
}
