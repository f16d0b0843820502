import {
  type AudioConfig,
  Fmp4Muxer,
  MalformedMedia,
  type MediaFrame,
  type TrackConfig,
  type VideoConfig,
} from '@weir/media';
import type { Log } from '@weir/plane';
import { costOf } from '../../../hub/own-memory.ts';
import type { Packager } from '../../../hub/packager.ts';
import type { HlsClock } from '../hls-clock.ts';
import { sizeWarning } from '../hls-packager.ts';
import { FrameDates, OpenSegment } from '../segments/open-segment.ts';
import { Segmenter, type SegmenterRules } from '../segments/segmenter.ts';
import { LlShelf, type LlShelfOptions } from './ll-shelf.ts';
import { PartCutter } from './part-cutter.ts';

interface LlHlsPackagerOptions extends LlShelfOptions {
  /** Above every number that players of this stream may remember. */
  readonly firstSequence: number;
  readonly clock: HlsClock;
  readonly log: Log;
  /** Whether the publisher says that pictures will come, before there is one. */
  readonly announcesVideo: () => boolean;
}

/** A third of a second holds a whole number of pictures at every common rate; times of RTMP are rounded. */
export const partTargetMs = 334;

/** Segments end at a keyframe; only a GOP beyond all reason is cut. */
const rules: SegmenterRules = { fragmentMs: 2000, overflowRatio: 5, maxBytes: 16 * 1024 * 1024 };
/** A part of a third of a second at 100 Mbit/s. */
const maxPartBytes = 4 * 1024 * 1024;

/** Players begin three parts behind the end, and cannot begin without a whole segment: so much is made of the first. */
const firstSegmentMs = 4 * partTargetMs;
const firstRules: SegmenterRules = { ...rules, fragmentMs: firstSegmentMs, overflowRatio: 1 };

/** Low-latency HLS of one stream: fragmented MP4 in parts, in memory only. Runs while somebody watches. */
export class LlHlsPackager implements Packager {
  readonly #options: LlHlsPackagerOptions;
  readonly #shelf: LlShelf;
  readonly #segmenter: Segmenter;
  readonly #cutter = new PartCutter(partTargetMs);
  readonly #dates: FrameDates;
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
    this.#shelf = new LlShelf(options);
    this.#segmenter = new Segmenter(
      () => (this.#isCatchingUp || this.#shelf.isPlayable ? rules : firstRules),
      options.announcesVideo,
    );
    this.#dates = new FrameDates(() => options.clock.dateMs());
    this.#nextSequence = options.firstSequence;
  }

  get shelf(): LlShelf {
    return this.#shelf;
  }

  /** Frames that were received before this packager was there. */
  catchUp(frames: readonly MediaFrame[]): void {
    const [first] = frames;
    const last = frames.at(-1);
    if (first && last) this.#dates.of(first, Math.max(0, last.dtsMs - first.dtsMs));
    this.#isCatchingUp = true;
    for (const frame of frames) this.onFrame(frame);
    this.#isCatchingUp = false;
    // From its keyframe to now in one piece: whoever begins near its end begins with a picture.
    if (this.#open && this.#open.durationMs(undefined) >= firstSegmentMs) this.#segmenter.requestCut();
  }

  onConfig(config: TrackConfig): void {
    const before = config.kind === 'video' ? this.#video : this.#audio;
    if (before && before.codec === config.codec && before.record.equals(config.record)) return;
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
    const decision = this.#segmenter.decide(frame, openBytes);
    if (decision === 'drop') return;
    const isDue = this.#cutter.isDue(frame) || this.#pendingBytes >= maxPartBytes;
    if (decision === 'cut' && openBytes >= rules.maxBytes) this.#warnOfSize();
    if (decision === 'break') this.#breakOff();
    else if (decision === 'cut') this.#finishSegment(frame);
    else if (isDue) this.#finishPart(frame);
    if (this.#pending.length === 0) this.#cutter.begin(frame);
    this.#open ??= this.#begin(frame);
    this.#open.extend(frame);
    this.#pending.push(frame);
    this.#pendingBytes += costOf(frame);
  }

  onDiscontinuity(): void {
    this.#breakOff();
    this.#segmenter.restart();
  }

  close(): void {
    this.#breakOff();
    this.#shelf.clear();
  }

  #begin(frame: MediaFrame): OpenSegment {
    const sequence = this.#nextSequence++;
    const open = new OpenSegment(frame, { sequence, dateMs: this.#dates.of(frame), isDiscontinuity: this.#isBroken });
    this.#isBroken = false;
    this.#shelf.open(open, this.#prepareMuxer());
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

  #finishPart(next: MediaFrame | undefined): void {
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
      const endMs = this.#open.startMs + this.#open.durationMs(next);
      this.#shelf.addPart(bytes, { durationMs: Math.max(1, endMs - first.dtsMs), isIndependent });
    } catch (error) {
      this.#fail(error);
    }
  }

  #finishSegment(next: MediaFrame | undefined): void {
    this.#finishPart(next);
    this.#open = undefined;
    this.#shelf.finish();
  }

  #breakOff(): void {
    this.#finishSegment(undefined);
    this.#cutter.restart();
    this.#dates.restart();
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
