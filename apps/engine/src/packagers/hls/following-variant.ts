import { isSameDecoder, type MediaFrame, type TrackConfig } from '@weir/media';
import type { Log } from '@weir/plane';
import type { SegmentFormat, SegmentFormatName } from '@weir/streams';
import { leadBytes } from '../../http/prepared.ts';
import type { CutStep, NextFrame, PlannedSegment } from './cut-plan.ts';
import type { HlsClock } from './hls-clock.ts';
import type { HlsRules } from './hls-settings.ts';
import { PartStore, type PartStoreOptions } from './low-latency/part-store.ts';
import type { SegmentCache } from './segment-cache.ts';
import { Fmp4SegmentMuxer } from './segments/fmp4-segment-muxer.ts';
import { MediaGuard } from './segments/media-guard.ts';
import { MpegTsSegmentMuxer } from './segments/mpegts-segment-muxer.ts';
import type { SegmentMuxer } from './segments/segment-muxer.ts';
import { SegmentPlaylist } from './segments/segment-playlist.ts';
import type { StoredSegment } from './segments/segment-store.ts';
import type { SegmentWriter } from './segments/segment-writer.ts';
import { type StreamPaths, segmentRest } from './segments/stream-paths.ts';
import type { TargetDuration } from './segments/target-duration.ts';

interface FollowingVariantOptions {
  readonly format: SegmentFormat;
  /** Track that must be whole in a segment. */
  readonly kind: TrackConfig['kind'];
  readonly paths: StreamPaths;
  readonly rules: () => HlsRules;
  readonly writer: SegmentWriter;
  readonly hot: SegmentCache;
  readonly clock: HlsClock;
  readonly log: Log;
  /** The target duration of the variant that it follows. */
  readonly target: TargetDuration;
  /** Makes parts, in memory only. */
  readonly parts?: Pick<PartStoreOptions, 'onChange' | 'partTargetMs' | 'jitterMs'>;
  readonly onSegment?: () => void;
  /** The file of a segment is on disk. */
  readonly onFile?: (segment: StoredSegment) => void;
}

const muxers: Readonly<Record<SegmentFormatName, new () => SegmentMuxer>> = {
  mpegts: MpegTsSegmentMuxer,
  fmp4: Fmp4SegmentMuxer,
};

/** Time missing at the start or end of a segment's own track from which players stop there. */
const mostMissingMs = 500;

/**
 * HLS variant of a lower quality, with the audio of the stream, or of alternative audio. It decides nothing: segments and parts begin where
 * those of the lead do. A segment of which its own track is missing is a gap: its number is not left out, because players count.
 */
export class FollowingVariant {
  readonly parts: PartStore | undefined;
  readonly playlist: SegmentPlaylist;
  readonly #options: FollowingVariantOptions;
  readonly #muxer: SegmentMuxer;
  readonly #guard: MediaGuard;
  readonly #configs = new Map<TrackConfig['kind'], TrackConfig>();
  /** The segment that is being made. */
  #plan: PlannedSegment | undefined;
  #hasBegun = false;
  #isOpen = false;
  /** First and last frame of the own track in the segment. */
  #firstMs: number | undefined;
  #lastMs: number | undefined;
  #isIndependent = false;
  /** A part of the segment is missing. */
  #isGap = false;
  /** The last segment was whole, so that the next may begin without a keyframe. */
  #isContinuous = false;
  /** The decoder must be set up anew in the next segment. */
  #isChanged = false;
  #isInitDue = true;
  #partStartMs = 0;
  #partHasOwn = false;
  #partIsIndependent = false;

  constructor(options: FollowingVariantOptions) {
    this.#options = options;
    const { format, parts, log } = options;
    this.#muxer = new muxers[format.name]();
    this.#guard = new MediaGuard(log);
    this.playlist = new SegmentPlaylist({ ...options, hasGaps: true, onFile: (segment) => options.onFile?.(segment) });
    this.parts = parts && new PartStore({ ...options, ...parts });
  }

  onConfig(config: TrackConfig): void {
    const before = this.#configs.get(config.kind);
    if (before && isSameDecoder(before, config)) return;
    this.#configs.set(config.kind, config);
    this.#guard.attempt(() => this.#muxer.setConfig(config));
    this.#isInitDue = true;
    if (!before) return;
    // Only here, not in the other qualities: this segment is lost, and the next one begins with a keyframe. Where there are parts, a new map
    // is enough, as in the variant that it follows.
    this.#isChanged = !this.parts || before.codec !== config.codec;
    this.#isContinuous = false;
    this.#isGap = true;
  }

  onFrame(frame: MediaFrame): void {
    const isOwn = frame.kind === this.#options.kind;
    if (!this.#plan || !this.#muxer.takes(frame)) return;
    if (isOwn && this.#firstMs === undefined) {
      if (!frame.isKeyframe && !this.#isContinuous) return;
      this.#firstMs = frame.dtsMs;
      this.#isIndependent = frame.isKeyframe;
    }
    if (isOwn) {
      this.#lastMs = frame.dtsMs;
      if (!this.#partHasOwn) this.#partIsIndependent = frame.isKeyframe;
      this.#partHasOwn = true;
    }
    if (!this.#isOpen) this.#muxer.begin();
    this.#isOpen = true;
    this.#guard.attempt(() => this.#muxer.append(frame));
  }

  step(step: CutStep): void {
    switch (step.type) {
      case 'begin':
        this.#begin(step.segment);
        return;
      case 'part':
        this.#endPart(step.endMs, step.isLast, step.next);
        return;
      case 'end':
        this.#end(step);
        return;
      case 'drop':
        this.#plan = undefined;
        this.#drop();
    }
  }

  dispose(): void {
    if (this.parts) this.parts.clear();
    else this.playlist.clear();
  }

  #begin(segment: PlannedSegment): void {
    this.#drop();
    if (!this.#hasBegun) (this.parts ?? this.playlist).beginAfter(segment.discontinuities);
    this.#hasBegun = true;
    this.#plan = segment;
    this.#firstMs = undefined;
    this.#lastMs = undefined;
    this.#isIndependent = false;
    this.#isGap = false;
    this.#beginPart(segment.startMs);
    if (segment.isDiscontinuity) {
      this.#muxer.restart();
      this.#isInitDue = true;
    }
    if (!this.parts) return;
    const isDiscontinuity = this.#consumeDiscontinuity(segment);
    const init = this.#isInitDue ? this.#guard.attempt(() => this.#muxer.init()) : undefined;
    this.#isInitDue = false;
    this.parts.open({ ...segment, isDiscontinuity }, init);
  }

  #consumeDiscontinuity({ isDiscontinuity }: PlannedSegment): boolean {
    const isChanged = this.#isChanged;
    this.#isChanged = false;
    return isDiscontinuity || isChanged;
  }

  #beginPart(startMs: number): void {
    this.#partStartMs = startMs;
    this.#partHasOwn = false;
    this.#partIsIndependent = false;
  }

  #endPart(endMs: number, isLast: boolean, next: NextFrame): void {
    if (!this.#plan || !this.parts) return;
    const facts = { durationMs: Math.max(1, endMs - this.#partStartMs), isIndependent: this.#partIsIndependent };
    const bytes = this.#partHasOwn && !this.#isGap ? this.#flush(next) : undefined;
    // Players cannot decode the segment beyond a missing part.
    this.#isGap ||= bytes === undefined;
    const isFirst = this.#partStartMs === this.#plan.startMs;
    if (isFirst && bytes && !this.#partIsIndependent) this.parts.markDependent();
    if (bytes) this.parts.addPart(bytes.subarray(leadBytes), facts, isLast);
    else this.parts.addGap(facts, isLast);
    this.#drop();
    this.#beginPart(endMs);
  }

  #end({ sequence, durationMs, dateMs, next }: CutStep & { type: 'end' }): void {
    const plan = this.#plan;
    this.#plan = undefined;
    if (!plan) return;
    if (this.parts) {
      this.parts.finish();
      this.#isContinuous = !this.#isGap;
      return;
    }
    const isWhole = !this.#isGap && this.#isComplete(plan.startMs, durationMs);
    const roomy = isWhole ? this.#flush(next) : undefined;
    this.#isContinuous = roomy !== undefined;
    this.#drop();
    const { paths, clock, format, onSegment } = this.#options;
    const rest = segmentRest(sequence, Math.round(clock.dateMs()), format);
    const segment = {
      id: plan.id,
      sequence,
      uri: paths.name + rest,
      startMs: plan.startMs,
      durationMs,
      dateMs,
      isDiscontinuity: this.#consumeDiscontinuity(plan),
      isIndependent: roomy === undefined || this.#isIndependent,
      isGap: roomy === undefined,
      file: paths.file(rest),
      url: paths.url(rest),
      size: roomy ? roomy.length - leadBytes : 0,
    };
    this.playlist.add(segment, roomy);
    onSegment?.();
  }

  #isComplete(startMs: number, durationMs: number): boolean {
    if (this.#firstMs === undefined || this.#lastMs === undefined) return false;
    return this.#firstMs - startMs <= mostMissingMs && startMs + durationMs - this.#lastMs <= 2 * mostMissingMs;
  }

  #flush(next: NextFrame): Buffer | undefined {
    if (!this.#isOpen) return undefined;
    // Other audio has frames of its own times.
    const following = this.#options.kind === 'video' ? next : undefined;
    return this.#guard.attempt(() => this.#muxer.take(following));
  }

  #drop(): void {
    this.#muxer.drop();
    this.#isOpen = false;
  }
}
