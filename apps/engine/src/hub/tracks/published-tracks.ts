import type { Demuxed, MediaFrame, VideoConfig } from '@weir/media';
import type { Publication } from '../stream.ts';

/** Silence, while other tracks continue, after which a track has paused. */
const pausedMs = 1000;
/** Time without a pause after which the best track leads again. */
const steadyMs = 5000;

interface VideoTrack {
  /** Number of the track among the video tracks, by arrival. */
  readonly layer: number;
  config: VideoConfig;
  /** First time after the last pause, and newest time. */
  sinceMs: number;
  lastMs: number;
}

/**
 * Several tracks of one publisher on one clock. The largest video is the stream, and other video its lower qualities: ids say nothing of
 * quality. A track in another codec than the first one leads only while no other is there. The first audio is the stream's, other audio its
 * alternatives.
 */
export class PublishedTracks {
  readonly #publication: Omit<Publication, 'end'>;
  readonly #video = new Map<number, VideoTrack>();
  #lead: VideoTrack | undefined;
  #audio: number | undefined;
  #startMs: number | undefined;

  constructor(publication: Omit<Publication, 'end'>) {
    this.#publication = publication;
  }

  /** Adds an item of a track. Items that concern all tracks have the track number 0. */
  push(item: Demuxed, track: number): void {
    if (item.type === 'metadata') this.#publication.metadata(item.values);
    else if (item.type === 'frame' && item.frame.kind === 'video') this.#onFrame(track, item.frame);
    else if (item.type === 'config' && item.config.kind === 'video') this.#onConfig(track, item.config);
    else this.#onAudio(track, item);
  }

  #onAudio(track: number, item: Demuxed): void {
    this.#audio ??= track;
    const isOwn = track === this.#audio;
    if (item.type === 'frame') {
      if (isOwn) this.#publication.frame(item.frame);
      else this.#publication.audioTrack(track, item.frame);
    } else if (item.type === 'config' && item.config.kind === 'audio') {
      if (isOwn) this.#publication.config(item.config);
      else this.#publication.audioTrack(track, item.config);
    }
  }

  #onConfig(track: number, config: VideoConfig): void {
    const video = this.#video.get(track) ?? this.#add(track, config);
    video.config = config;
    const lead = this.#lead ?? video;
    this.#lead = lead;
    // Before the first frame, no leading track is known.
    if (this.#startMs === undefined && this.#isBetter(video, lead)) this.#changeLead(video);
    else if (video === lead) this.#publication.config(config);
    else this.#publication.lower(video.layer, config);
  }

  #add(track: number, config: VideoConfig): VideoTrack {
    const never = Number.NEGATIVE_INFINITY;
    const video = { layer: this.#video.size, config, sinceMs: never, lastMs: never };
    this.#video.set(track, video);
    if (this.#lead && this.#video.size === 2) this.#publication.lead(this.#lead.layer);
    return video;
  }

  #onFrame(track: number, frame: MediaFrame): void {
    const video = this.#video.get(track);
    if (!video) return;
    const { dtsMs, isKeyframe } = frame;
    this.#startMs ??= dtsMs;
    if (dtsMs - video.lastMs > pausedMs) video.sinceMs = dtsMs;
    video.lastMs = dtsMs;
    if (video !== this.#lead && isKeyframe && this.#mayLead(video, dtsMs)) this.#changeLead(video);
    if (video === this.#lead) this.#publication.frame(frame);
    else this.#publication.lower(video.layer, frame);
  }

  #mayLead(video: VideoTrack, nowMs: number): boolean {
    const isSilent = ({ lastMs }: VideoTrack) => nowMs - Math.max(lastMs, this.#startMs ?? nowMs) > pausedMs;
    if (!this.#lead) return true;
    if (!isSilent(this.#lead)) return this.#isBetter(video, this.#lead) && nowMs - video.sinceMs >= steadyMs;
    return ![...this.#video.values()].some((other) => !isSilent(other) && this.#isBetter(other, video));
  }

  #isBetter(a: VideoTrack, b: VideoTrack): boolean {
    const [first] = this.#video.values();
    const isUsual = ({ config }: VideoTrack) => config.codec === first?.config.codec;
    if (isUsual(a) !== isUsual(b)) return isUsual(a);
    return a.config.width * a.config.height > b.config.width * b.config.height;
  }

  #changeLead(video: VideoTrack): void {
    const former = this.#lead;
    this.#lead = video;
    this.#publication.lead(video.layer);
    this.#publication.config(video.config);
    if (former) this.#publication.lower(former.layer, former.config);
  }
}
