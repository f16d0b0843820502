import {
  type AudioConfig,
  Fmp4Muxer,
  isSameDecoder,
  MalformedMedia,
  type MediaFrame,
  type TrackConfig,
  type VideoConfig,
} from '@weir/media';
import type { Log } from '@weir/plane';
import { memoryCost } from '../../../hub/own-memory.ts';
import type { Packager } from '../../../hub/packager.ts';
import { sizeWarning } from '../hls-packager.ts';
import type { FrameDates } from '../segments/frame-dates.ts';
import { OpenSegment } from '../segments/open-segment.ts';
import { Segmenter, type SegmenterRules } from '../segments/segmenter.ts';
import { expectedSegmentMs } from '../segments/target-duration.ts';
import { PartCutter } from './part-cutter.ts';
import { type LlShelfOptions, PartStore } from './part-store.ts';

interface LlHlsPackagerOptions extends Omit<LlShelfOptions, 'jitterMs'> {
  /** Above every number that players of this stream may remember. */
  readonly firstSequence: number;
  readonly dates: FrameDates;
  /** Longest group of pictures before this packager existed; undefined when none was complete. */
  readonly longestGroupMs: number | undefined;
  readonly log: Log;
  /** True if the publisher announced video that has not come yet. */
  readonly announcesVideo: () => boolean;
}

/** A third of a second holds a whole number of pictures at every common rate; times of RTMP are rounded. */
export const partTargetMs = 334;

const fragmentMs = 2000;
/** Segments end at a keyframe; only a longer group of pictures is cut. */
const longestMs = 10_000;
const maxSegmentBytes = 16 * 1024 * 1024;
/** A part of a third of a second at 100 Mbit/s. */
const maxPartBytes = 4 * 1024 * 1024;

/** Players begin two or three parts behind the end, and cannot begin without a whole segment: so much is made of the first. */
const firstSegmentMs = 4 * partTargetMs;
/** Longest first group of pictures that is waited for. The first segment may end inside a longer one. */
export const longGroupMs = fragmentMs + 100;
/** Longest wait of the first segment for a keyframe that is expected, so that the second segment begins with it. */
const soonMs = 500;

/** Low-latency HLS of one stream: fragmented MP4 in parts, in memory only. Runs while somebody watches. */
export class LlHlsPackager implements Packager {
  readonly #options: LlHlsPackagerOptions;
  readonly #shelf: PartStore;
  readonly #segmenter: Segmenter;
  readonly #cutter = new PartCutter(partTargetMs);
  #video: VideoConfig | undefined;
  #audio: AudioConfig | undefined;
  #muxer: Fmp4Muxer | undefined;
  #fragments = 0;
  #pending: MediaFrame[] = [];
  #pendingBytes = 0;
  #hasWarnedOfSize = false;
  #open: OpenSegment | undefined;
  #nextSequence: number;
  #isBroken = false;
  #hasWarned = false;
  #isCatchingUp = false;

  constructor(options: LlHlsPackagerOptions) {
    this.#options = options;
    this.#shelf = new PartStore({ ...options, jitterMs: () => options.dates.jitterMs });
    this.#segmenter = new Segmenter(() => this.#rules(), options.announcesVideo);
    if (options.longestGroupMs !== undefined) this.#chooseTarget(options.longestGroupMs);
    this.#nextSequence = options.firstSequence;
  }

  get shelf(): PartStore {
    return this.#shelf;
  }

  /** Frames since the last keyframe, which were received before this packager was there. */
  catchUp(frames: readonly MediaFrame[]): void {
    this.#isCatchingUp = true;
    for (const frame of frames) this.onFrame(frame);
    this.#isCatchingUp = false;
  }

  onConfig(config: TrackConfig): void {
    const before = config.kind === 'video' ? this.#video : this.#audio;
    if (before && isSameDecoder(before, config)) return;
    if (this.#open) this.onDiscontinuity();
    if (config.kind === 'video') this.#video = config;
    else this.#audio = config;
    if (config.kind === 'video') this.#segmenter.expectVideo();
    this.#muxer = undefined;
    this.#hasWarned = false;
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    if (this.#open) this.onDiscontinuity();
    if (kind === 'video') this.#video = undefined;
    else this.#audio = undefined;
    if (kind === 'video') this.#segmenter.expectVideo(false);
    this.#muxer = undefined;
  }

  onFrame(frame: MediaFrame): void {
    if (!this.#video && !this.#audio) return;
    const openBytes = this.#shelf.openBytes + this.#pendingBytes;
    if (!this.#shelf.isPlayable && !this.#isCatchingUp) this.#hastenFirst(frame);
    const decision = this.#segmenter.decide(frame, openBytes);
    if (decision === 'drop') return;
    const isDue = this.#cutter.isDue(frame) || this.#pendingBytes >= maxPartBytes;
    if (decision === 'cut' && openBytes >= maxSegmentBytes) this.#warnOfSize();
    if (decision === 'break') this.#breakOff();
    else if (decision === 'cut') this.#finishSegment(frame);
    else if (isDue) this.#finishPart(frame);
    if (this.#pending.length === 0) this.#cutter.begin(frame);
    this.#open ??= this.#begin(frame);
    this.#open.extend(frame);
    this.#pending.push(frame);
    this.#pendingBytes += memoryCost(frame);
  }

  onDiscontinuity(): void {
    this.#breakOff();
    this.#segmenter.restart();
  }

  close(): void {
    this.#breakOff();
    this.#shelf.clear();
  }

  #rules(): SegmenterRules {
    const { limitMs = longestMs } = this.#options.target;
    return { fragmentMs, limitMs, isPromised: this.#options.target.limitMs !== undefined, maxBytes: maxSegmentBytes };
  }

  #chooseTarget(groupMs: number): void {
    this.#options.target.choose(Math.min(longestMs, expectedSegmentMs(fragmentMs, groupMs)));
  }

  /** A group of pictures that has not ended with the first segment is a long one. */
  #groupUntil(next: MediaFrame | undefined): number {
    if (!this.#video) return 0;
    return next?.kind === 'video' && next.isKeyframe ? (this.#segmenter.longestGroupMs ?? longestMs) : longestMs;
  }

  /**
   * Cuts the first segment early, because a viewer waits for it. A short group of pictures ends the segment. A long
   * group is cut unless it is nearly over; its rest becomes the next segment, the only one of the stream that does not
   * begin with a keyframe.
   */
  #hastenFirst({ kind, isKeyframe, dtsMs }: MediaFrame): void {
    // A cut before audio would let the next segment begin without a picture, though a keyframe may follow at once.
    if (!this.#open || (this.#video && kind === 'audio')) return;
    const elapsedMs = dtsMs - this.#open.startMs;
    const groupMs = this.#options.longestGroupMs ?? 0;
    const isShort = groupMs <= longGroupMs && elapsedMs < longGroupMs;
    const leftMs = groupMs - elapsedMs;
    const isNearlyOver = leftMs > 0 && leftMs <= soonMs;
    const isEnd = (kind === 'video' && isKeyframe) || !(isShort || isNearlyOver) || !this.#video;
    if (isEnd && elapsedMs >= firstSegmentMs) this.#segmenter.requestCut();
  }

  #begin(frame: MediaFrame): OpenSegment {
    const sequence = this.#nextSequence++;
    const open = new OpenSegment(frame, { sequence, isDiscontinuity: this.#isBroken });
    this.#isBroken = false;
    const { startMs, isDiscontinuity } = open;
    const dateMs = this.#options.dates.of(startMs);
    const isIndependent = !this.#video || (frame.kind === 'video' && frame.isKeyframe);
    this.#shelf.open({ sequence, startMs, dateMs, isDiscontinuity, isIndependent }, this.#prepareMuxer());
    return open;
  }

  /** The initialisation segment of a new muxer, or undefined while the one before still holds. */
  #prepareMuxer(): Buffer | undefined {
    if (this.#muxer) return undefined;
    try {
      const muxer = new Fmp4Muxer({ video: this.#video, audio: this.#audio });
      const init = muxer.initSegment();
      this.#muxer = muxer;
      return init;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #finishPart(next: MediaFrame | undefined, isLast = false): void {
    const frames = this.#pending;
    const [first] = frames;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (!this.#open || !first || !this.#muxer) return;
    const nextTimes = next && (next.kind === 'video' ? { videoDtsMs: next.dtsMs } : { audioDtsMs: next.dtsMs });
    try {
      const bytes = this.#muxer.fragment(frames, this.#fragments++, nextTimes);
      const picture = frames.find(({ kind }) => kind === 'video');
      const isIndependent = picture ? picture.isKeyframe : this.#video === undefined;
      const { limitMs = longestMs } = this.#options.target;
      const endMs = this.#open.startMs + Math.min(limitMs, this.#open.durationMs(next));
      this.#shelf.addPart(bytes, { durationMs: Math.max(1, endMs - first.dtsMs), isIndependent }, isLast);
    } catch (error) {
      this.#fail(error);
    }
  }

  #finishSegment(next: MediaFrame | undefined): void {
    this.#finishPart(next, true);
    if (this.#open) this.#chooseTarget(this.#groupUntil(next));
    this.#open = undefined;
    this.#shelf.finish();
  }

  #breakOff(): void {
    this.#finishSegment(undefined);
    this.#cutter.restart();
    // Decoders begin anew, and so does the clock of the samples.
    this.#muxer = undefined;
    this.#isBroken = this.#nextSequence > this.#options.firstSequence;
  }

  #warnOfSize(): void {
    if (!this.#hasWarnedOfSize) this.#options.log.warn(sizeWarning);
    this.#hasWarnedOfSize = true;
  }

  #fail(error: unknown): void {
    if (!(error instanceof MalformedMedia)) throw error;
    if (!this.#hasWarned)
      this.#options.log.warn({ err: error }, 'low-latency HLS skips frames that cannot be packaged');
    this.#hasWarned = true;
  }
}
