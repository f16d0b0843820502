import {
  isSameDecoder,
  MalformedMedia,
  type MediaFrame,
  MpegTsMuxer,
  PacketBuffer,
  type TrackConfig,
} from '@weir/media';
import type { Log } from '@weir/plane';
import { leadBytes, type Prepared } from '../../http/prepared.ts';
import { memoryCost } from '../../hub/own-memory.ts';
import type { Packager } from '../../hub/packager.ts';
import type { HlsClock } from './hls-clock.ts';
import { overflowRatio } from './hls-settings.ts';
import { type MediaPlaylist, mediaPlaylist } from './playlist.ts';
import { preparedPlaylist } from './prepared-pieces.ts';
import type { FrameDates } from './segments/frame-dates.ts';
import { OpenSegment } from './segments/open-segment.ts';
import { type SegmentShelfOptions, SegmentStore, type TsSegment } from './segments/segment-store.ts';
import { Segmenter, type SegmenterRules } from './segments/segmenter.ts';
import { segmentRest } from './segments/stream-paths.ts';
import { expectedSegmentMs, TargetDuration } from './segments/target-duration.ts';
import type { PieceTimes } from './subtitles/vtt-piece.ts';

interface HlsPackagerOptions extends SegmentShelfOptions {
  readonly firstSequence: number;
  readonly clock: HlsClock;
  readonly dates: FrameDates;
  readonly log: Log;
  /** True if the publisher announced video that has not come yet. */
  readonly announcesVideo: () => boolean;
  /** The playlist shows one more segment. */
  readonly onSegment: (segment: TsSegment) => void;
}

/** Once per stream: of a clock that stands still every segment is such a one. */
export const sizeWarning = 'a segment was cut at its maximum size, the publisher may be sending wrong timestamps';
const firstExpectedBytes = 64 * 1024;
const maxSegmentBytes = 48 * 1024 * 1024;
/** A shorter remainder before a break is not worth a segment; breaks can follow each other closely. */
const leastMs = 100;
/** A second track may join the first segment this late: sound by SRT or of a conversion comes after its pictures. */
const joinWithinMs = 3000;
const mostEarlyBytes = 8 * 1024 * 1024;

/** MPEG-TS segments of one stream. Numbering and window go on across publishers until `dispose`. */
export class HlsPackager implements Packager {
  readonly #options: HlsPackagerOptions;
  readonly #muxer = new MpegTsMuxer();
  readonly #segmenter: Segmenter;
  readonly #shelf: SegmentStore;
  readonly #target = new TargetDuration();
  readonly #configs = new Map<TrackConfig['kind'], TrackConfig>();
  #open: OpenSegment | undefined;
  #packets = new PacketBuffer();
  /** Frames of the first segment, while another track may still join it. */
  #early: MediaFrame[] | undefined = [];
  #earlyBytes = 0;
  /** Segments of a stream are much alike: memory for the next is taken by the size of the last. */
  #expectedBytes = firstExpectedBytes;
  #nextSequence: number;
  #isBroken: boolean;
  #playlist: Prepared | undefined;
  #playlistCaching = '';
  #malformed = 0;
  #hasWarnedOfSize = false;
  /** True once a group of pictures had to be cut. */
  #hasDependent = false;
  #lastFrameAtMs: number;

  constructor(options: HlsPackagerOptions) {
    this.#options = options;
    this.#shelf = new SegmentStore(options);
    this.#nextSequence = options.firstSequence;
    // Numbers that go on from a former run of the engine do not continue its media.
    this.#isBroken = options.firstSequence > 0;
    this.#segmenter = new Segmenter(() => this.#rules(), options.announcesVideo);
    this.#lastFrameAtMs = options.clock.elapsedMs();
  }

  /** On the clock that cannot be set. */
  get lastFrameAtMs(): number {
    return this.#lastFrameAtMs;
  }

  get hasPlaylist(): boolean {
    return this.#shelf.window.segments.length > 0;
  }

  /** Undefined until there is a segment to show. The same until the next one, or until it is to be cached otherwise. */
  playlist(caching: string): Prepared | undefined {
    if (!this.hasPlaylist) return undefined;
    if (!this.#playlist || this.#playlistCaching !== caching) {
      this.#playlist = preparedPlaylist(Buffer.from(mediaPlaylist(this.view)), caching);
      this.#playlistCaching = caching;
    }
    return this.#playlist;
  }

  /** Content of the playlist. */
  get view(): MediaPlaylist {
    const { segments, discontinuitySequence } = this.#shelf.window;
    return { segments, discontinuitySequence, targetSeconds: this.#target.seconds ?? 1 };
  }

  /** Longest of the latest groups of pictures; undefined until one is complete. */
  get longestGroupMs(): number | undefined {
    return this.#segmenter.longestGroupMs;
  }

  /** When a segment is, on the stream's clock; undefined when it is no more. */
  timesOf(sequence: number): PieceTimes | undefined {
    const segment = this.#shelf.find(sequence);
    return segment && { startMs: segment.startMs, endMs: segment.startMs + segment.durationMs };
  }

  /** Bitrates of the segments in the playlist. */
  get rates(): SegmentStore['rates'] {
    return this.#shelf.rates;
  }

  /** End of the newest segment on the stream's clock. */
  get endMs(): number {
    const newest = this.#shelf.window.segments.at(-1);
    return newest ? newest.startMs + newest.durationMs : 0;
  }

  get targetDurationMs(): number {
    return 1000 * (this.#target.seconds ?? 1);
  }

  /** The segment that is being made. */
  get growing(): { readonly bytes: number; readonly durationMs: number } {
    return { bytes: this.#packets.length, durationMs: this.#open?.durationMs(undefined) ?? 0 };
  }

  /** True when all segments began with a keyframe and, by the groups so far, later ones will. `mostGroupMs` is a stricter limit of groups. */
  hasIndependentSegments(mostGroupMs = Number.POSITIVE_INFINITY): boolean {
    if (this.#hasDependent) return false;
    if (!this.#configs.has('video')) return this.#configs.size > 0 && !this.#options.announcesVideo();
    const { longestGroupEverMs = Number.POSITIVE_INFINITY } = this.#segmenter;
    return longestGroupEverMs <= Math.min(mostGroupMs, this.#rules().limitMs);
  }

  onConfig(config: TrackConfig): void {
    const before = this.#configs.get(config.kind);
    if (before && isSameDecoder(before, config)) return;
    this.#configs.set(config.kind, config);
    const early = before ? undefined : this.#early;
    // Also a track that joins late: players learn the tracks of a segment from its first tables.
    if (this.#open && !early) this.onDiscontinuity();
    this.#muxer.setConfig(config);
    if (config.kind === 'video') this.#segmenter.expectVideo();
    if (this.#open && early) this.#writeAgain(early);
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    if (!this.#configs.delete(kind)) return;
    if (this.#open) this.onDiscontinuity();
    this.#muxer.removeTrack(kind);
    if (kind === 'video') this.#segmenter.expectVideo(false);
  }

  onFrame(frame: MediaFrame): void {
    this.#lastFrameAtMs = this.#options.clock.elapsedMs();
    const decision = this.#segmenter.decide(frame, this.#packets.length);
    if (decision === 'drop') return;
    if (decision === 'break') this.#breakOff();
    else if (decision === 'cut') {
      if (this.#packets.length >= maxSegmentBytes) this.#warnOfSize();
      this.#finish(frame);
    }
    if (!this.#muxer.takes(frame)) return;
    this.#open ??= this.#begin(frame);
    this.#open.extend(frame);
    this.#append(frame);
    this.#rememberEarly(frame);
  }

  onDiscontinuity(): void {
    this.#breakOff();
    this.#segmenter.restart();
  }

  close(): void {
    this.onDiscontinuity();
  }

  /** Takes everything away: files, memory, playlist. */
  dispose(): void {
    this.#shelf.clear();
    this.#playlist = undefined;
  }

  #rememberEarly(frame: MediaFrame): void {
    if (!this.#early) return;
    const isLate = this.#configs.size > 1 || Math.abs(frame.dtsMs - (this.#early[0] ?? frame).dtsMs) > joinWithinMs;
    this.#earlyBytes += memoryCost(frame);
    if (isLate || this.#earlyBytes > mostEarlyBytes) this.#early = undefined;
    else this.#early.push(frame);
  }

  /** The same segment with tables that name the track that joined: cutting it would lose frames until the next keyframe. */
  #writeAgain(frames: readonly MediaFrame[]): void {
    this.#early = undefined;
    this.#packets = new PacketBuffer(this.#expectedBytes, leadBytes);
    this.#muxer.appendTables(this.#packets);
    for (const frame of frames) this.#append(frame);
  }

  #append(frame: MediaFrame): void {
    try {
      this.#muxer.append(frame, this.#packets);
    } catch (error) {
      if (!(error instanceof MalformedMedia)) throw error;
      this.#malformed++;
      if (this.#malformed === 1) this.#options.log.warn({ err: error }, 'skipping frames that cannot be packaged');
    }
  }

  #warnOfSize(): void {
    if (!this.#hasWarnedOfSize) this.#options.log.warn(sizeWarning);
    this.#hasWarnedOfSize = true;
  }

  /** A fragment that the owner made longer meanwhile is for the next playlist: the target duration of this one stays. */
  #rules(): SegmenterRules {
    const { fragmentMs } = this.#options.rules();
    const { seconds = Number.POSITIVE_INFINITY, limitMs } = this.#target;
    return {
      fragmentMs: Math.min(fragmentMs, 1000 * seconds),
      limitMs: limitMs ?? fragmentMs * overflowRatio,
      isPromised: limitMs !== undefined,
      maxBytes: maxSegmentBytes,
    };
  }

  /** By the first segment and what the groups of pictures in it say about the next. */
  #chooseTarget(firstMs: number): void {
    const { fragmentMs } = this.#options.rules();
    const expectedMs = expectedSegmentMs(fragmentMs, this.#segmenter.longestGroupMs ?? 0);
    this.#target.choose(Math.max(firstMs, Math.min(expectedMs, fragmentMs * overflowRatio)));
  }

  #begin(frame: MediaFrame): OpenSegment {
    const facts = { sequence: this.#nextSequence, isDiscontinuity: this.#isBroken };
    this.#packets = new PacketBuffer(this.#expectedBytes, leadBytes);
    this.#muxer.appendTables(this.#packets);
    return new OpenSegment(frame, facts);
  }

  #breakOff(): void {
    if (this.#open && this.#open.durationMs(undefined) >= leastMs) this.#finish(undefined);
    this.#drop();
    this.#options.dates.restart();
    // Before the first segment there is nothing to differ from.
    this.#isBroken ||= this.#nextSequence > this.#options.firstSequence;
  }

  #drop(): void {
    this.#open = undefined;
    if (this.#early?.length) this.#early = undefined;
    this.#packets = new PacketBuffer();
  }

  #finish(next: MediaFrame | undefined): void {
    const open = this.#open;
    if (!open) return;
    const { paths, clock, dates } = this.#options;
    const wholeMs = open.durationMs(next);
    this.#chooseTarget(wholeMs);
    const roomy = this.#packets.finishWithLead();
    const size = roomy.length - leadBytes;
    this.#expectedBytes = size + (size >> 4);
    const rest = segmentRest(open.sequence, Math.round(clock.dateMs()));
    const segment: TsSegment = {
      sequence: open.sequence,
      uri: paths.name + rest,
      startMs: open.startMs,
      durationMs: Math.min(wholeMs, this.#target.limitMs ?? wholeMs),
      // Only now: how its frames arrived says more than the first of them alone.
      dateMs: dates.of(open.startMs),
      isDiscontinuity: open.isDiscontinuity,
      isIndependent: open.isIndependent,
      file: paths.file(rest),
      url: paths.url(rest),
      size,
    };
    this.#drop();
    this.#isBroken = false;
    this.#nextSequence++;
    this.#hasDependent ||= !segment.isIndependent;
    this.#shelf.add(segment, roomy, 1000 * (this.#target.seconds ?? 1));
    this.#playlist = undefined;
    this.#options.onSegment(segment);
  }
}
