import type { AudioConfig, MediaFrame, TrackConfig, VideoConfig } from '@weir/media';
import type { Log } from '@weir/plane';
import { qualityPattern, segmentFormats } from '@weir/streams';
import type { FrameSource, StreamView } from '../../hub/stream.ts';
import type { AudioFacts } from '../../hub/tracks/audio-facts.ts';
import type { CutStep } from './cut-plan.ts';
import { FollowingVariant } from './following-variant.ts';
import type { HlsClock } from './hls-clock.ts';
import { HlsRendition } from './hls-rendition.ts';
import type { HlsRules } from './hls-settings.ts';
import { LeadTrack, type RenditionTrack } from './lead-track.ts';
import { partTargetMs } from './low-latency/part-maker.ts';
import type { PartStore } from './low-latency/part-store.ts';
import type { SegmentCache } from './segment-cache.ts';
import type { StoredSegment } from './segments/segment-store.ts';
import type { SegmentWriter } from './segments/segment-writer.ts';
import { StreamPaths } from './segments/stream-paths.ts';
import type { TargetDuration } from './segments/target-duration.ts';

/** Separates the name of a stream from that of a rendition in addresses. */
export const renditionMark = '.';
/**
 * Name of a rendition in an address: a lower quality as `v-360p`, its video without the audio of the stream as `vo-360p`, the video of the
 * stream itself as `vo`, an audio track as `a-1`.
 */
export const renditionPattern = `(?:vo?-${qualityPattern}|vo|a-\\d{1,3})`;
export const videoAlone = 'vo';
export const qualityRendition = (quality: string, isAlone = false): string =>
  `${isAlone ? videoAlone : 'v'}-${quality}`;
const audioRendition = (track: string): string => `a-${track}`;
const ownAudio = audioRendition('0');

/** The quality that a rendition of video shows; undefined for that of the stream itself. */
export const qualityIn = (rendition: string): string | undefined => /^vo?-(.+)$/.exec(rendition)?.[1];
export const isAudioRendition = (rendition: string): boolean => rendition.startsWith('a-');

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
  /** Called when the segment of a lower quality is on disk. */
  readonly onFile: (segment: StoredSegment, quality: string) => void;
}

/** Alternative audio as a master playlist describes it. */
export interface OfferedAudio {
  readonly rendition: string;
  readonly audio: AudioConfig;
  readonly facts: AudioFacts;
  /** Bitrate of its fullest segment, in bit/s. */
  readonly peak: number;
}

type FollowedStream = Pick<StreamView, 'qualities' | 'audioTracks' | 'audio'> & FrameSource;

interface StartOptions {
  readonly track: RenditionTrack | (() => RenditionTrack);
  readonly kind: TrackConfig['kind'];
  readonly isAlone: boolean;
  readonly audio: TrackConfig | undefined;
  readonly isLow: boolean;
}

/** Parts of one rendition. `rendition` is undefined for the stream itself. */
interface RenditionParts {
  readonly rendition: string | undefined;
  readonly parts: PartStore;
}

/** Lower qualities and alternative audio of a stream in HLS. They are cut at the same places as the variants of the stream itself. */
export class HlsRenditions {
  readonly #options: Options;
  readonly #renditions = new Map<string, HlsRendition>();
  /** Time of the frame that the variants of the stream are processing. */
  #atMs = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  get size(): number {
    return this.#renditions.size;
  }

  find(name: string): HlsRendition | undefined {
    return this.#renditions.get(name);
  }

  /**
   * Audio tracks for a master playlist: the stream's own and its alternatives, each from its first complete segment on. Empty if there is
   * nothing to choose.
   */
  offeredAudio({ audio, audioTracks }: Pick<StreamView, 'audio' | 'audioTracks'>): readonly OfferedAudio[] {
    const peakOf = (rendition: string) => this.find(rendition)?.main.playlist.rates.peak ?? 0;
    if (!audio || peakOf(videoAlone) === 0 || peakOf(ownAudio) === 0) return [];
    const others = audioTracks.offered.flatMap((track) => {
      const rendition = audioRendition(track.name);
      const peak = peakOf(rendition);
      return peak === 0 ? [] : [{ rendition, audio: track.audio, facts: track.facts, peak }];
    });
    const own = { rendition: ownAudio, audio, facts: audioTracks.own, peak: peakOf(ownAudio) };
    return others.length === 0 ? [] : [own, ...others];
  }

  /** Lower qualities for a master playlist, best first, each from its first complete segment on. Audio alone comes last if it is offered. */
  offered({ qualities, video, audio }: Pick<StreamView, 'qualities' | 'video' | 'audio'>, isAlone: boolean) {
    const offer = (rendition: string, shown: VideoConfig | undefined, cached: () => readonly MediaFrame[]) => {
      const rates = this.find(rendition)?.main.playlist.rates;
      return rates && rates.peak > 0 ? [{ rendition, video: shown, rates, cached }] : [];
    };
    const lower = qualities.offered.flatMap((quality) =>
      offer(qualityRendition(quality.name, isAlone), quality.video, () => quality.cached()),
    );
    const isAudioOffered = qualities.hasAudioOnly && video && audio;
    return [...lower, ...(isAudioOffered ? offer(ownAudio, undefined, () => []) : [])];
  }

  get parts(): readonly RenditionParts[] {
    return [...this.#renditions].flatMap(([rendition, { low }]) =>
      low?.parts ? [{ rendition, parts: low.parts }] : [],
    );
  }

  /** False if a rendition certainly cannot begin a segment at this time. */
  mayBeginAt(ms: number): boolean {
    for (const rendition of this.#renditions.values()) if (!rendition.mayBeginAt(ms)) return false;
    return true;
  }

  /** Called before the variants of the stream get a frame. */
  before({ dtsMs }: MediaFrame): void {
    this.#atMs = dtsMs;
  }

  after(frame: MediaFrame): void {
    for (const rendition of this.#renditions.values()) rendition.leadFrame(frame);
  }

  /** Called before the variants of the stream end their segments, which is behind their last frame. */
  beforeBreak(): void {
    this.#atMs += 1;
  }

  afterBreak(): void {
    for (const rendition of this.#renditions.values()) rendition.leadBreak();
  }

  onAudio(config: TrackConfig): void {
    for (const rendition of this.#renditions.values()) rendition.leadAudio(this.#atMs, config);
  }

  onStep(isLow: boolean, step: CutStep): void {
    for (const rendition of this.#renditions.values()) rendition.step(isLow, this.#atMs, step);
  }

  /** Starts renditions of new tracks and ends those of tracks that are over. */
  follow(source: FollowedStream, isLow: boolean): void {
    const { qualities, audioTracks, audio } = source;
    qualities.sweep();
    audioTracks.sweep();
    for (const [name, rendition] of this.#renditions) {
      if (!rendition.isOver) continue;
      rendition.dispose();
      this.#renditions.delete(name);
    }
    const video = { kind: 'video', isAlone: false, audio, isLow } as const;
    for (const track of qualities.all) this.#start(qualityRendition(track.name), { ...video, track });
    const alternatives = audioTracks.all;
    const sound = { ...video, isAlone: true, kind: 'audio' } as const;
    const isAudioWanted = alternatives.length > 0 || qualities.hasAudioOnly;
    if (isAudioWanted && audio) this.#start(ownAudio, { ...sound, track: () => new LeadTrack(source, 'audio') });
    if (alternatives.length === 0) return;
    // With alternatives, video and audio get separate playlists: few players can ignore the audio inside a variant.
    const alone = { ...video, isAlone: true };
    this.#start(videoAlone, { ...alone, track: () => new LeadTrack(source, 'video') });
    for (const track of qualities.all) this.#start(qualityRendition(track.name, true), { ...alone, track });
    for (const track of alternatives) this.#start(audioRendition(track.name), { ...sound, track });
  }

  #start(name: string, { isLow, ...options }: StartOptions): void {
    if (this.#renditions.has(name)) return;
    const { kind } = options;
    const track = typeof options.track === 'function' ? options.track() : options.track;
    const started = new HlsRendition({ ...options, track, main: this.#newMain(name, kind) });
    if (isLow) started.startLow(this.#newLow(name, kind));
    this.#renditions.set(name, started);
    this.#options.log.info({ rendition: name }, 'HLS of a further track started');
  }

  /** Starts low-latency variants with earlier frames. Yields each frame for the variant of the stream, before the renditions get it. */
  *startLow(frames: readonly MediaFrame[]): Iterable<MediaFrame> {
    for (const [name, rendition] of this.#renditions) rendition.startLow(this.#newLow(name, rendition.kind));
    for (const frame of frames) {
      this.before(frame);
      yield frame;
      for (const rendition of this.#renditions.values()) rendition.leadLowFrame(frame);
    }
  }

  stopLow(): void {
    for (const rendition of this.#renditions.values()) rendition.stopLow();
  }

  dispose(): void {
    for (const rendition of this.#renditions.values()) rendition.dispose();
    this.#renditions.clear();
  }

  #newMain(name: string, kind: TrackConfig['kind']): FollowingVariant {
    const { target, onSegment, onFile, ...rest } = this.#options;
    // Only video that contains the audio of the stream can be recorded.
    const quality = isAudioRendition(name) || name.startsWith(videoAlone) ? undefined : qualityIn(name);
    return new FollowingVariant({
      ...rest,
      ...(quality !== undefined && { onFile: (segment: StoredSegment) => onFile(segment, quality) }),
      kind,
      paths: this.#pathsOf(name),
      format: segmentFormats.mpegts,
      target,
      onSegment,
    });
  }

  #newLow(name: string, kind: TrackConfig['kind']): FollowingVariant {
    const { lowTarget, jitterMs, onPart, onSegment: _onSegment, onFile: _onFile, ...rest } = this.#options;
    return new FollowingVariant({
      ...rest,
      kind,
      paths: this.#pathsOf(name),
      format: segmentFormats.fmp4,
      target: lowTarget,
      parts: { partTargetMs, jitterMs, onChange: onPart },
    });
  }

  #pathsOf(name: string): StreamPaths {
    return new StreamPaths(this.#options.directory, this.#options.key, renditionMark + name);
  }
}
