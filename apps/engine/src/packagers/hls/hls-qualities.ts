import type { MediaFrame, TrackConfig } from '@weir/media';
import type { Log } from '@weir/plane';
import { segmentFormats } from '@weir/streams';
import type { Qualities } from '../../hub/qualities/qualities.ts';
import type { CutStep } from './cut-plan.ts';
import { FollowingVariant } from './following-variant.ts';
import type { HlsClock } from './hls-clock.ts';
import { HlsQuality } from './hls-quality.ts';
import type { HlsRules } from './hls-settings.ts';
import { partTargetMs } from './low-latency/part-maker.ts';
import type { PartStore } from './low-latency/part-store.ts';
import type { SegmentCache } from './segment-cache.ts';
import type { SegmentWriter } from './segments/segment-writer.ts';
import { StreamPaths } from './segments/stream-paths.ts';
import type { TargetDuration } from './segments/target-duration.ts';

/** Between the name of a stream and that of a lower quality, in addresses. */
export const qualityMark = '.v-';

interface Options {
  readonly directory: string;
  readonly key: string;
  readonly rules: () => HlsRules;
  readonly hot: SegmentCache;
  readonly clock: HlsClock;
  readonly log: Log;
  readonly writer: SegmentWriter;
  /** Target durations of the variants that are followed. */
  readonly target: TargetDuration;
  readonly lowTarget: TargetDuration;
  readonly jitterMs: () => number;
  readonly onSegment: () => void;
  readonly onPart: () => void;
}

/** Parts of one quality; of the stream itself without a name. */
interface QualityParts {
  readonly quality: string | undefined;
  readonly parts: PartStore;
}

/** Lower qualities of a stream in HLS. They do what the variants of the stream itself do. */
export class HlsQualities {
  readonly #options: Options;
  readonly #qualities = new Map<string, HlsQuality>();
  /** Time of the frame that the variants of the stream are getting. */
  #atMs = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  get size(): number {
    return this.#qualities.size;
  }

  find(name: string): HlsQuality | undefined {
    return this.#qualities.get(name);
  }

  get parts(): readonly QualityParts[] {
    return [...this.#qualities].flatMap(([quality, { low }]) => (low?.parts ? [{ quality, parts: low.parts }] : []));
  }

  /** True where all qualities may begin a segment, as far as it is known. */
  mayBeginAt(ms: number): boolean {
    for (const quality of this.#qualities.values()) if (!quality.mayBeginAt(ms)) return false;
    return true;
  }

  /** Before the variants of the stream get the frame. */
  before({ dtsMs }: MediaFrame): void {
    this.#atMs = dtsMs;
  }

  after(frame: MediaFrame): void {
    for (const quality of this.#qualities.values()) quality.leadFrame(frame);
  }

  /** The variants of the stream may end their segments now, behind their last frame. */
  beforeBreak(): void {
    this.#atMs += 1;
  }

  afterBreak(): void {
    for (const quality of this.#qualities.values()) quality.leadBreak();
  }

  onAudio(config: TrackConfig): void {
    for (const quality of this.#qualities.values()) quality.leadAudio(this.#atMs, config);
  }

  onStep(isLow: boolean, step: CutStep): void {
    for (const quality of this.#qualities.values()) quality.step(isLow, this.#atMs, step);
  }

  /** Begins with qualities that are new and ends those that are over. */
  follow(qualities: Qualities, audio: TrackConfig | undefined, isLow: boolean): void {
    qualities.sweep();
    for (const [name, quality] of this.#qualities) {
      if (!quality.isOver) continue;
      quality.dispose();
      this.#qualities.delete(name);
    }
    for (const quality of qualities.all) {
      const { name } = quality;
      if (this.#qualities.has(name)) continue;
      const started = new HlsQuality({ quality, main: this.#newMain(name), audio });
      if (isLow) started.startLow(this.#newLow(name));
      this.#qualities.set(name, started);
      this.#options.log.info({ quality: name }, 'HLS of a lower quality started');
    }
  }

  /** Frames of the past for low-latency variants that start: the stream's are to get them as they come out. */
  *startLow(frames: readonly MediaFrame[]): Iterable<MediaFrame> {
    for (const [name, quality] of this.#qualities) quality.startLow(this.#newLow(name));
    for (const frame of frames) {
      this.before(frame);
      yield frame;
      for (const quality of this.#qualities.values()) quality.leadLowFrame(frame);
    }
  }

  stopLow(): void {
    for (const quality of this.#qualities.values()) quality.stopLow();
  }

  dispose(): void {
    for (const quality of this.#qualities.values()) quality.dispose();
    this.#qualities.clear();
  }

  #newMain(name: string): FollowingVariant {
    const { target, onSegment } = this.#options;
    return new FollowingVariant({
      ...this.#options,
      paths: this.#pathsOf(name),
      format: segmentFormats.mpegts,
      target,
      onSegment,
    });
  }

  #newLow(name: string): FollowingVariant {
    const { lowTarget, jitterMs, onPart, onSegment: _onSegment, ...rest } = this.#options;
    return new FollowingVariant({
      ...rest,
      paths: this.#pathsOf(name),
      format: segmentFormats.fmp4,
      target: lowTarget,
      parts: { partTargetMs, jitterMs, onChange: onPart },
    });
  }

  #pathsOf(name: string): StreamPaths {
    return new StreamPaths(this.#options.directory, this.#options.key, qualityMark + name);
  }
}
