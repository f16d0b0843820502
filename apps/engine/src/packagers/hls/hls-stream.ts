import { randomUUID } from 'node:crypto';
import type { InitFile } from '@weir/engine-api';
import { type AudioConfig, announcedTracks, type MediaFrame, type TrackConfig, type VideoConfig } from '@weir/media';
import type { Log } from '@weir/plane';
import { type SegmentFormat, type SegmentFormatName, segmentFormats } from '@weir/streams';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import type { Gate } from '../../hub/clients/gate.ts';
import type { Packager } from '../../hub/packager.ts';
import type { FrameSource, StreamView } from '../../hub/stream.ts';
import { BlockedRequests } from './blocked-requests.ts';
import type { HlsClock } from './hls-clock.ts';
import { HlsRenditions, qualityRendition, videoAlone } from './hls-renditions.ts';
import { disposeMs, type HlsRules } from './hls-settings.ts';
import { HlsSubtitles } from './hls-subtitles.ts';
import { HlsVariant } from './hls-variant.ts';
import { longGroupMs, partTargetMs } from './low-latency/part-maker.ts';
import type { PartStore } from './low-latency/part-store.ts';
import { RecordedVariant } from './recorded-variant.ts';
import type { SegmentCache } from './segment-cache.ts';
import { FollowingCutter } from './segments/following-cutter.ts';
import { FrameDates } from './segments/frame-dates.ts';
import { lowLatencyLengths, ordinaryLengths, type SegmentLengths } from './segments/segment-lengths.ts';
import type { StoredSegment } from './segments/segment-store.ts';
import { SegmentWriter } from './segments/segment-writer.ts';
import { Segmenter } from './segments/segmenter.ts';
import { StreamPaths } from './segments/stream-paths.ts';
import { TargetDuration } from './segments/target-duration.ts';

/** Hub stream as HLS sees it. */
export interface HlsSource extends StreamView {
  readonly publisher: { readonly info: ClientInfo } | undefined;
}

/** Variant as a master playlist describes it. */
interface OfferedVariant extends Pick<HlsVariant, 'rates' | 'growing' | 'hasPlaylist'> {
  /** Name of a lower quality or of audio alone in addresses; undefined for the stream itself. */
  readonly rendition?: string;
  readonly video: VideoConfig | undefined;
  readonly audio: AudioConfig | undefined;
  /** True if all segments begin with a keyframe. */
  readonly isIndependent: boolean;
  /** Frames from which the frame rate is measured. */
  readonly cached: () => readonly MediaFrame[];
}

interface HlsStreamOptions {
  readonly directory: string;
  /** Number of the first segment in a format. */
  readonly firstSequence: (format: SegmentFormat) => number;
  readonly rules: () => HlsRules;
  readonly hot: SegmentCache;
  readonly gate: Pick<Gate, 'segment'>;
  readonly clock: HlsClock;
  readonly log: Log;
}

/** A publisher that returns this soon goes on in the segment it left. */
const settleMs = 500;
/** Low-latency parts are made for this long after a request for them. */
const idleMs = 30_000;
/** 2023-11-14, so that numbers counted in seconds from it stay short. */
const numberingEpochSeconds = 1_700_000_000;

/** Format of segments at public addresses. */
export const publicFormat = segmentFormats.mpegts;
/** Format that is made beside it while it is recorded. */
const recordedFormat = segmentFormats.fmp4;

/**
 * HLS of one stream: a list of variants of the same frames. It outlives the hub's stream for as long as a publisher may
 * take to return.
 */
export class HlsStream implements Packager {
  /** Requests for an ordinary playlist that has no segment yet. */
  readonly waiters = new BlockedRequests();
  /** Requests for what low-latency players were promised. */
  readonly llWaiters = new BlockedRequests();
  /** Always there: whole segments in the public format. Its breaks and dates are those of the stream. */
  readonly main: HlsVariant;
  readonly subtitles: HlsSubtitles;
  readonly renditions: HlsRenditions;
  readonly #options: HlsStreamOptions;
  readonly #paths: StreamPaths;
  readonly #writer: SegmentWriter;
  readonly #dates: FrameDates;
  readonly #lengths: SegmentLengths;
  /** Outlives its variant: players that stay are told the same when it starts again. */
  readonly #lowTarget = new TargetDuration();
  #source: HlsSource;
  #publisher: ClientInfo | undefined;
  /** The main variant first: others rely on its breaks. */
  #variants: readonly HlsVariant[];
  #low: HlsVariant | undefined;
  /** Variants that are recorded beside the main one. */
  #recorded: RecordedVariant | undefined;
  #formerRecorded: RecordedVariant | undefined;
  #original: FrameSource;
  #lowRequestedAtMs = 0;
  #isOver = false;

  readonly #announcesVideo = (): boolean => announcedTracks(this.#source.metadata).video;

  constructor(source: HlsSource, options: HlsStreamOptions) {
    this.#source = source;
    this.#original = source;
    this.#options = options;
    this.#paths = new StreamPaths(options.directory, source.key);
    this.#writer = new SegmentWriter(options.log);
    this.#dates = new FrameDates(() => options.clock.dateMs());
    this.subtitles = new HlsSubtitles({ name: this.#paths.name, subtitles: () => this.#source.subtitles });
    const lengths = ordinaryLengths(new TargetDuration(), options.rules);
    this.#lengths = lengths;
    this.renditions = new HlsRenditions({
      ...options,
      key: source.key,
      writer: this.#writer,
      target: lengths.target,
      lowTarget: this.#lowTarget,
      jitterMs: () => this.#dates.jitterMs,
      onSegment: () => this.waiters.wake(),
      onPart: () => this.llWaiters.wake(),
      onFile: (segment, quality) => this.#report({ ...segment, id: randomUUID() }, publicFormat, undefined, quality),
    });
    this.main = new HlsVariant({
      ...this.#shared(publicFormat),
      lengths,
      cutter: new Segmenter(
        () => lengths.rules(),
        this.#announcesVideo,
        (cut) => this.#recorded?.onCut(cut),
        (ms) => this.renditions.mayBeginAt(ms),
      ),
      followingBytes: () => this.#recorded?.bytes ?? 0,
      ...this.#numbersOf(publicFormat),
      onSegment: () => this.waiters.wake(),
      onBreak: () => this.#dates.restart(),
      onStep: (step) => this.renditions.onStep(false, step),
    });
    this.#variants = [this.main];
  }

  get source(): HlsSource {
    return this.#source;
  }

  /** True if it can be watched now, or could a moment ago and may again soon. */
  get isWatchable(): boolean {
    return this.#source.isLive || this.main.hasPlaylist;
  }

  /** Variants of a master playlist. `isLow`: of low-latency addresses; `isAlone`: without audio, which players choose. */
  offered({ isLow, isAlone = false }: { isLow: boolean; isAlone?: boolean }): readonly OfferedVariant[] {
    const mostGroupMs = isLow ? Math.min(longGroupMs, this.#lowTarget.limitMs ?? longGroupMs) : undefined;
    const { video, audio } = this.#source;
    const { rates, growing, hasPlaylist } = this.main;
    const isIndependent = this.main.hasIndependentSegments(mostGroupMs);
    const cached = () => this.#source.cached();
    const lead = { video, audio, rates, growing, hasPlaylist, isIndependent, cached };
    const own = isAlone ? this.renditions.find(videoAlone) : undefined;
    const first = own ? { ...lead, rendition: videoAlone, rates: own.main.playlist.rates } : lead;
    return [first, ...this.renditions.offered(this.#source, isAlone).map((below) => ({ ...lead, ...below }))];
  }

  /** True if the stream has this rendition, or had it a while ago. Its own quality has a name, too. */
  hasRendition(name: string): boolean {
    const { leadName } = this.#source.qualities;
    return this.renditions.find(name) !== undefined || (leadName !== undefined && name === qualityRendition(leadName));
  }

  /** Low-latency parts of a rendition; of the stream itself without a name. */
  partsOf(rendition: string | undefined): PartStore | undefined {
    return rendition === undefined ? this.parts : this.renditions.find(rendition)?.low?.parts;
  }

  /** Low-latency parts of all renditions but this one. */
  partsBeside(name: string | undefined) {
    const lead = this.parts && this.renditions.size > 0 ? [{ rendition: undefined, parts: this.parts }] : [];
    return [...lead, ...this.renditions.parts].filter(({ rendition }) => rendition !== name);
  }

  /** Takes the frames of the hub's stream of this name, the same one or the next. `original`: without conversions. */
  follow(source: HlsSource, original: FrameSource = source): void {
    this.#stopRecorded();
    this.#source = source;
    this.#original = original;
    this.#isOver = false;
    source.attach(this);
  }

  /** Makes segments in these formats from now on. The public format is always made. To be called again after `follow`. */
  record(formats: readonly SegmentFormatName[]): void {
    if (!formats.includes(recordedFormat.name)) this.#stopRecorded();
    else if (!this.#recorded && !this.#isOver) this.#startRecorded();
  }

  /** Low-latency parts, while there are requests for them. */
  get parts(): PartStore | undefined {
    return this.#low?.parts;
  }

  /** Starts making parts; they stop after a while without requests. */
  watchLow(): PartStore | undefined {
    this.#lowRequestedAtMs = this.#options.clock.elapsedMs();
    if (this.#source.isLive && !this.#low) this.#startLow();
    return this.parts;
  }

  onConfig(config: TrackConfig): void {
    this.renditions.beforeBreak();
    for (const variant of this.#variants) variant.onConfig(config);
    if (config.kind === 'audio') this.renditions.onAudio(config);
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    this.renditions.beforeBreak();
    for (const variant of this.#variants) variant.onTrackMissing(kind);
  }

  onFrame(frame: MediaFrame): void {
    this.#publisher = this.#source.publisher?.info ?? this.#publisher;
    this.renditions.before(frame);
    for (const variant of this.#variants) variant.onFrame(frame);
    this.renditions.after(frame);
    if (frame.kind === 'video' && frame.isKeyframe) {
      this.renditions.follow(this.#source, this.#low !== undefined);
    }
    // After them: a frame of another clock must not date the segment that it ends.
    this.#dates.observe(frame);
  }

  onDiscontinuity(): void {
    this.renditions.beforeBreak();
    for (const variant of this.#variants) variant.onDiscontinuity();
    this.renditions.afterBreak();
  }

  close(): void {
    this.#isOver = true;
    this.renditions.beforeBreak();
    this.main.close();
    this.renditions.afterBreak();
    this.#stopRecorded();
    this.#stopLow();
  }

  /** Ends what expired. True when nothing is left of the stream. */
  sweep(nowMs: number): boolean {
    this.waiters.expire(nowMs);
    this.llWaiters.expire(nowMs);
    if (nowMs - this.#lowRequestedAtMs >= idleMs) this.#stopLow();
    // The publisher's last frames must not wait for its return; frames still being converted belong to them.
    const isSettled = !this.#source.isLive && !this.#source.isDraining;
    if (isSettled && nowMs - this.main.lastFrameAtMs >= settleMs) {
      // Renditions that ended a second ago are announced now. Those that end now have a part that players still load.
      this.parts?.tell();
      for (const { parts } of this.renditions.parts) parts.tell();
      this.onDiscontinuity();
    }
    if (!this.#isOver || nowMs - this.main.lastFrameAtMs < disposeMs) return false;
    this.dispose();
    return true;
  }

  dispose(): void {
    this.#stopRecorded();
    this.#stopLow();
    this.#formerRecorded?.dispose();
    this.renditions.dispose();
    this.main.dispose();
    this.waiters.giveUp();
  }

  /** Resolves when the disk has everything it was given. */
  idle(): Promise<void> {
    return this.#writer.idle();
  }

  #shared(format: SegmentFormat) {
    const { rules, hot, clock, log } = this.#options;
    return {
      format,
      rules,
      hot,
      clock,
      log,
      paths: this.#paths,
      dates: this.#dates,
      writer: this.#writer,
      announcesVideo: this.#announcesVideo,
      onFile: (segment: StoredSegment, init: InitFile | undefined) => this.#report(segment, format, init),
    };
  }

  #startLow(): void {
    const { clock, hot, log } = this.#options;
    const { longestGroupMs } = this.main;
    const lengths = lowLatencyLengths(this.#lowTarget, longestGroupMs);
    const low = new HlsVariant({
      ...this.#shared(segmentFormats.fmp4),
      lengths,
      cutter: new Segmenter(
        () => lengths.rules(),
        this.#announcesVideo,
        undefined,
        (ms) => this.renditions.mayBeginAt(ms),
      ),
      parts: { hot, partTargetMs, longestGroupMs, onChange: () => this.llWaiters.wake() },
      onStep: (step) => this.renditions.onStep(true, step),
      // Segments last longer than a second: a later start counts from a higher number than any earlier one reached.
      firstSequence: Math.floor(clock.dateMs() / 1000) - numberingEpochSeconds,
      isContinued: false,
    });
    const { video, audio } = this.#source;
    if (video) low.onConfig(video);
    if (audio) low.onConfig(audio);
    low.catchUp(this.renditions.startLow(this.#source.cached()));
    this.#low = low;
    this.#variants = [this.main, low];
    log.info('low-latency HLS started');
  }

  #stopLow(): void {
    if (!this.#low) return;
    this.#low.close();
    this.#low.dispose();
    this.#low = undefined;
    this.renditions.stopLow();
    this.#variants = [this.main];
    this.llWaiters.giveUp();
    this.#options.log.info('low-latency HLS stopped');
  }

  #startRecorded(): void {
    // Segments are as long as those of the main variant, which chooses the target.
    const lengths = { ...this.#lengths, chooseTarget: () => undefined };
    const cutter = new FollowingCutter(lengths.rules().maxBytes);
    const { firstSequence, isContinued } = this.#numbersOf(recordedFormat);
    const variant = new HlsVariant({
      ...this.#shared(recordedFormat),
      lengths,
      cutter,
      // No request can reach this variant.
      hot: undefined,
      firstSequence: this.#formerRecorded?.nextSequence ?? firstSequence,
      isContinued: isContinued || this.#formerRecorded !== undefined,
    });
    const recorded = new RecordedVariant(variant, cutter);
    this.#recorded = recorded;
    this.#original.attach(recorded);
    if (this.main.growing.durationMs > 0) recorded.catchUp(this.#original.cached());
  }

  #stopRecorded(): void {
    const recorded = this.#recorded;
    if (!recorded) return;
    this.#recorded = undefined;
    this.#original.detach(recorded);
    recorded.close();
    // Its last files are still needed: the control plane is only now told of them.
    this.#formerRecorded?.dispose();
    this.#formerRecorded = recorded;
  }

  #numbersOf(format: SegmentFormat): { firstSequence: number; isContinued: boolean } {
    const firstSequence = this.#options.firstSequence(format);
    return { firstSequence, isContinued: firstSequence > 0 };
  }

  /** `quality`: the lower one that it shows. Its segments have ids of their own. */
  #report(segment: StoredSegment, format: SegmentFormat, init: InitFile | undefined, quality?: string): void {
    if (!this.#publisher) return;
    const { id, file, url, durationMs, dateMs, sequence, isDiscontinuity, isIndependent } = segment;
    const { vhost, app, name } = this.#publisher.place;
    this.#options.gate.segment(
      {
        id,
        format: format.name,
        ...(init && { init }),
        vhost,
        app,
        stream: name,
        clientId: this.#publisher.id,
        file,
        durationMs: Math.round(durationMs),
        dateMs: Math.round(dateMs),
        sequence,
        isDiscontinuity,
        isIndependent,
        quality,
        ownQuality: quality === undefined ? this.#source.qualities.leadName : undefined,
      },
      this.#publisher,
      { url: url.slice(1), m3u8: this.#paths.file('.m3u8'), m3u8Url: this.#paths.url('.m3u8').slice(1) },
    );
  }
}
