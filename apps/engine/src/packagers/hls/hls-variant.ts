import { isSameDecoder, type MediaFrame, type TrackConfig } from '@weir/media';
import type { Log } from '@weir/plane';
import type { SegmentFormatName } from '@weir/streams';
import { leadBytes, type Prepared } from '../../http/prepared.ts';
import type { Packager } from '../../hub/packager.ts';
import type { CutStep } from './cut-plan.ts';
import type { HlsClock } from './hls-clock.ts';
import { PartMaker, type PartMakerOptions } from './low-latency/part-maker.ts';
import type { PartStore } from './low-latency/part-store.ts';
import type { MediaPlaylist } from './playlist.ts';
import { Fmp4SegmentMuxer } from './segments/fmp4-segment-muxer.ts';
import type { FrameDates } from './segments/frame-dates.ts';
import { MediaGuard } from './segments/media-guard.ts';
import { MpegTsSegmentMuxer } from './segments/mpegts-segment-muxer.ts';
import { OpenSegment } from './segments/open-segment.ts';
import type { SegmentLengths } from './segments/segment-lengths.ts';
import type { SegmentMuxer } from './segments/segment-muxer.ts';
import { SegmentPlaylist } from './segments/segment-playlist.ts';
import type { SegmentStoreOptions, StoredSegment } from './segments/segment-store.ts';
import type { Cutter } from './segments/segmenter.ts';
import { segmentRest } from './segments/stream-paths.ts';
import type { PieceTimes } from './vtt-piece.ts';

interface HlsVariantOptions extends SegmentStoreOptions {
  readonly lengths: SegmentLengths;
  /** Makes parts of segments, in memory only; without it, segments become files. */
  readonly parts?: Omit<PartMakerOptions, 'paths' | 'target' | 'jitterMs'>;
  readonly firstSequence: number;
  /** True if numbers continue those of an earlier run, whose media this does not continue. */
  readonly isContinued: boolean;
  readonly clock: HlsClock;
  readonly dates: FrameDates;
  readonly log: Log;
  /** True if the publisher announced video that has not come yet. */
  readonly announcesVideo: () => boolean;
  /** Called when the playlist has one more segment. */
  readonly onSegment?: () => void;
  /** Called when the next frame does not continue the last one. */
  readonly onBreak?: () => void;
  /** Called with every step, for variants that follow this one. */
  readonly onStep?: (step: CutStep) => void;
  readonly cutter: Cutter;
  /** Memory of the open segment in variants that follow this one. */
  readonly followingBytes?: () => number;
}

const muxers: Readonly<Record<SegmentFormatName, new () => SegmentMuxer>> = {
  mpegts: MpegTsSegmentMuxer,
  fmp4: Fmp4SegmentMuxer,
};
/** A shorter remainder before a break is not worth a segment; breaks can follow each other closely. */
const leastMs = 100;

/**
 * Form of a stream in HLS: cuts its frames into segments of one format, stores them and lists them in a playlist. Numbering and window
 * continue across publishers until `dispose`.
 */
export class HlsVariant implements Packager {
  readonly #options: HlsVariantOptions;
  readonly #muxer: SegmentMuxer;
  readonly #cutter: Cutter;
  readonly #list: SegmentPlaylist;
  readonly #guard: MediaGuard;
  readonly #parts: PartMaker | undefined;
  readonly #configs = new Map<TrackConfig['kind'], TrackConfig>();
  #open: OpenSegment | undefined;
  #nextSequence: number;
  #isBroken: boolean;
  /** Number of discontinuities so far. */
  #discontinuities = 0;
  /** True while the init section of the coming segment is not known to be that of the last one. */
  #isInitDue = true;
  #isCatchingUp = false;
  #hasWarnedOfSize = false;
  /** True once a group of pictures had to be cut. */
  #hasDependent = false;
  #lastFrameAtMs: number;

  constructor(options: HlsVariantOptions) {
    const { format, lengths, parts, dates, firstSequence, clock } = options;
    this.#options = options;
    this.#muxer = new muxers[format.name]();
    this.#list = new SegmentPlaylist({ ...options, target: lengths.target });
    this.#guard = new MediaGuard(options.log);
    const jitterMs = () => dates.jitterMs;
    this.#parts = parts && new PartMaker({ ...options, ...parts, target: lengths.target, jitterMs });
    this.#nextSequence = firstSequence;
    this.#isBroken = options.isContinued;
    this.#cutter = options.cutter;
    this.#lastFrameAtMs = clock.elapsedMs();
  }

  /** Parts and their playlist; undefined for a variant of whole segments. */
  get parts(): PartStore | undefined {
    return this.#parts?.store;
  }

  /** Number of the segment after the newest. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  /** On the clock that cannot be set. */
  get lastFrameAtMs(): number {
    return this.#lastFrameAtMs;
  }

  get hasPlaylist(): boolean {
    return !this.#list.isEmpty;
  }

  playlist(caching: string): Prepared | undefined {
    return this.#list.text(caching);
  }

  /** Content of the playlist. */
  get view(): MediaPlaylist {
    return this.#list.view;
  }

  /** Longest of the latest groups of pictures; undefined until one is complete. */
  get longestGroupMs(): number | undefined {
    return this.#cutter.longestGroupMs;
  }

  timesOf(sequence: number): PieceTimes | undefined {
    return this.#list.timesOf(sequence);
  }

  /** Bitrates of the segments in the playlist. */
  get rates(): SegmentPlaylist['rates'] {
    return this.#list.rates;
  }

  /** End of the newest segment on the stream's clock. */
  get endMs(): number {
    return this.#list.endMs;
  }

  get targetDurationMs(): number {
    return this.#list.targetDurationMs;
  }

  /** Segment in progress. */
  get growing(): { readonly bytes: number; readonly durationMs: number } {
    return { bytes: this.#muxer.bytes, durationMs: this.#open?.durationMs(undefined) ?? 0 };
  }

  /** True when all segments began with a keyframe and, by the groups so far, later ones will. `mostGroupMs` is a stricter limit of groups. */
  hasIndependentSegments(mostGroupMs = Number.POSITIVE_INFINITY): boolean {
    if (this.#hasDependent) return false;
    if (!this.#hasVideo) return this.#configs.size > 0 && !this.#options.announcesVideo();
    const { longestGroupEverMs = Number.POSITIVE_INFINITY } = this.#cutter;
    return longestGroupEverMs <= Math.min(mostGroupMs, this.#options.lengths.rules().limitMs);
  }

  /** Adds frames since the last keyframe, which were received before this variant existed. */
  catchUp(frames: Iterable<MediaFrame>): void {
    this.#isCatchingUp = true;
    for (const frame of frames) this.onFrame(frame);
    this.#isCatchingUp = false;
  }

  onConfig(config: TrackConfig): void {
    const before = this.#configs.get(config.kind);
    if (before && isSameDecoder(before, config)) return;
    this.#configs.set(config.kind, config);
    // Players learn the tracks of a segment at its beginning.
    if (this.#open && (before || this.#parts || !this.#muxer.mayJoin)) this.#onChange(before?.codec === config.codec);
    this.#guard.attempt(() => this.#muxer.setConfig(config));
    this.#isInitDue = true;
    if (config.kind === 'video') this.#cutter.expectVideo();
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    if (!this.#configs.delete(kind)) return;
    if (this.#open) this.onDiscontinuity();
    this.#muxer.removeTrack(kind);
    this.#isInitDue = true;
    if (kind === 'video') this.#cutter.expectVideo(false);
  }

  onFrame(frame: MediaFrame): void {
    this.#lastFrameAtMs = this.#options.clock.elapsedMs();
    const parts = this.#parts;
    const openBytes = (parts?.store.openBytes ?? 0) + this.#muxer.bytes;
    const isFirstOver =
      this.#open && !this.#isCatchingUp && parts?.endsFirst(frame, this.#open.startMs, this.#hasVideo);
    if (isFirstOver) this.#cutter.requestCut();
    const decision = this.#cutter.decide(frame, Math.max(openBytes, this.#options.followingBytes?.() ?? 0));
    if (decision === 'drop') return;
    const isPartDue = parts?.isDue(frame, this.#muxer.bytes);
    if (decision === 'break') this.#breakOff();
    else if (decision === 'cut') {
      if (openBytes >= this.#options.lengths.rules().maxBytes) this.#warnOfSize();
      this.#finish(frame);
    } else if (isPartDue) this.#finishPart(frame, false);
    if (!this.#muxer.takes(frame)) return;
    this.#open ??= this.#begin(frame);
    this.#open.extend(frame);
    parts?.extend(frame);
    this.#guard.attempt(() => this.#muxer.append(frame));
  }

  onDiscontinuity(): void {
    // Called before the dates restart, because variants that follow end their segments here.
    this.#cutter.restart();
    this.#breakOff();
  }

  close(): void {
    this.onDiscontinuity();
  }

  /** Removes files, memory and playlist. */
  dispose(): void {
    if (this.#parts) this.#parts.store.clear();
    else this.#list.clear();
  }

  get #hasVideo(): boolean {
    return this.#configs.has('video');
  }

  #warnOfSize(): void {
    // Logged once per stream, because with a stopped clock every segment is affected.
    if (!this.#hasWarnedOfSize)
      this.#options.log.warn('a segment was cut at its maximum size, the publisher may be sending wrong timestamps');
    this.#hasWarnedOfSize = true;
  }

  #begin(frame: MediaFrame): OpenSegment {
    const { dates } = this.#options;
    const open = new OpenSegment(frame, {
      id: this.#cutter.id,
      sequence: this.#nextSequence,
      isDiscontinuity: this.#isBroken,
    });
    this.#muxer.begin();
    const { id, sequence, startMs, isDiscontinuity } = open;
    const dateMs = this.#parts ? dates.of(startMs) : 0;
    const isIndependent = !this.#hasVideo || (frame.kind === 'video' && frame.isKeyframe);
    const facts = { sequence, startMs, dateMs, isDiscontinuity, isIndependent };
    this.#options.onStep?.({ type: 'begin', segment: { id, ...facts, discontinuities: this.#discontinuities } });
    if (!this.#parts) return open;
    // Players learn of parts at once, so the number is used even if the segment fails.
    this.#giveOutNumber(isDiscontinuity);
    this.#parts.store.open(facts, this.#isInitDue ? this.#guard.attempt(() => this.#muxer.init()) : undefined);
    this.#isInitDue = false;
    return open;
  }

  #giveOutNumber(isDiscontinuity: boolean): void {
    this.#nextSequence++;
    this.#isBroken = false;
    if (isDiscontinuity) this.#discontinuities++;
  }

  /**
   * Decoders are set up anew, and time goes on. With a discontinuity hls.js stalls for a second where it plays parts; a new map is enough
   * for it as long as tracks and codecs are the same (RFC 8216, 4.3.2.3 demands the tag for others only).
   */
  #onChange(isSameCodec: boolean): void {
    this.#cutter.restart();
    this.#endSegment();
    if (!this.#parts || !isSameCodec) this.#markBreak();
  }

  #breakOff(): void {
    this.#endSegment();
    this.#options.onBreak?.();
    this.#markBreak();
  }

  #endSegment(): void {
    if (this.#open && (this.#parts || this.#open.durationMs(undefined) >= leastMs)) this.#finish(undefined);
    else if (this.#open) this.#options.onStep?.({ type: 'drop' });
    this.#open = undefined;
    this.#muxer.drop();
    this.#muxer.restart();
    this.#parts?.restart();
    this.#isInitDue = true;
  }

  /** Marks a discontinuity before the next segment, unless that is the first one. */
  #markBreak(): void {
    this.#isBroken ||= this.#nextSequence > this.#options.firstSequence;
  }

  #finish(next: MediaFrame | undefined): void {
    const open = this.#open;
    if (open && this.#parts) this.#finishParts(this.#parts, open, next);
    else if (open) this.#finishWhole(open, next);
    this.#open = undefined;
  }

  #finishPart(next: MediaFrame | undefined, isLast: boolean): void {
    if (!this.#open || !this.#parts) return;
    const { limitMs } = this.#options.lengths.rules();
    const endMs = this.#open.startMs + Math.min(limitMs, this.#open.durationMs(next));
    const bytes = this.#guard.attempt(() => this.#muxer.take(next));
    if (!bytes || bytes.length <= leadBytes) {
      this.#parts.drop();
      return;
    }
    this.#parts.finish(bytes, endMs, { hasVideo: this.#hasVideo, isLast });
    this.#options.onStep?.({ type: 'part', endMs, isLast, next });
  }

  #finishParts(parts: PartMaker, open: OpenSegment, next: MediaFrame | undefined): void {
    this.#finishPart(next, true);
    this.#chooseTarget(open.durationMs(next), next);
    parts.store.finish();
    const { sequence } = open;
    this.#options.onStep?.({ type: 'end', sequence, durationMs: open.durationMs(next), dateMs: 0, next });
  }

  #finishWhole(open: OpenSegment, next: MediaFrame | undefined): void {
    const { paths, clock, dates, format, lengths } = this.#options;
    const wholeMs = open.durationMs(next);
    this.#chooseTarget(wholeMs, next);
    const roomy = this.#guard.attempt(() => this.#muxer.take(next));
    if (!roomy) return;
    const rest = segmentRest(open.sequence, Math.round(clock.dateMs()), format);
    const init = this.#guard.attempt(() => this.#muxer.init());
    const segment: StoredSegment = {
      id: open.id,
      ...(init && { init }),
      sequence: open.sequence,
      uri: paths.name + rest,
      startMs: open.startMs,
      durationMs: Math.min(wholeMs, lengths.target.limitMs ?? wholeMs),
      // Dated at its end, because the arrival of all its frames is a better measure than that of the first.
      dateMs: dates.of(open.startMs),
      isDiscontinuity: open.isDiscontinuity,
      isIndependent: open.isIndependent,
      file: paths.file(rest),
      url: paths.url(rest),
      size: roomy.length - leadBytes,
    };
    this.#giveOutNumber(open.isDiscontinuity);
    this.#hasDependent ||= !segment.isIndependent;
    this.#list.add(segment, roomy);
    const { sequence, durationMs, dateMs } = segment;
    this.#options.onStep?.({ type: 'end', sequence, durationMs, dateMs, next });
    this.#options.onSegment?.();
  }

  #chooseTarget(durationMs: number, next: MediaFrame | undefined): void {
    const isGroupOver = next?.kind === 'video' && next.isKeyframe;
    const { longestGroupMs } = this.#cutter;
    this.#options.lengths.chooseTarget({ durationMs, longestGroupMs, isGroupOver, hasVideo: this.#hasVideo });
  }
}
