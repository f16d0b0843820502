import type { AudioConfig, MediaFrame, TrackConfig, VideoConfig } from '@weir/media';
import type { Packager } from '../packager.ts';
import { Packagers } from '../packagers.ts';
import type { StreamView } from '../stream.ts';
import type { Quality } from './quality.ts';
import { QualityMerger } from './quality-merger.ts';

/**
 * A stream with the video of a lower quality, for players of RTMP, HTTP-FLV and SRT, which get all tracks by one connection. While the quality
 * pauses they get audio alone, and when it is over they are disconnected.
 */
export class QualityView implements StreamView {
  readonly #view: StreamView;
  readonly #quality: Quality;
  readonly #packagers: Packagers;
  readonly #merger: QualityMerger;
  #video: VideoConfig;
  #isAttached = false;

  constructor(view: StreamView, quality: Quality, onFault: (error: unknown) => void) {
    this.#view = view;
    this.#quality = quality;
    this.#video = quality.video;
    this.#packagers = new Packagers(onFault);
    this.#merger = new QualityMerger({
      frame: (frame) => this.#packagers.frame(frame),
      config: (config) => config.kind === 'video' && this.#onVideoConfig(config),
    });
  }

  get key() {
    return this.#view.key;
  }

  get place() {
    return this.#view.place;
  }

  get video(): VideoConfig {
    return this.#isAttached ? this.#video : this.#quality.video;
  }

  get audio(): AudioConfig | undefined {
    return this.#view.audio;
  }

  get isLive(): boolean {
    return this.#view.isLive;
  }

  get isDraining(): boolean {
    return this.#view.isDraining;
  }

  get isStarting(): boolean {
    return this.#view.isStarting;
  }

  get subtitles() {
    return this.#view.subtitles;
  }

  get qualities() {
    return this.#view.qualities;
  }

  get audioTracks() {
    return this.#view.audioTracks;
  }

  /** Without the bitrate of the best quality. */
  get metadata(): Readonly<Record<string, unknown>> {
    const { videodatarate: _rate, ...rest } = this.#view.metadata;
    return rest;
  }

  cached(): readonly MediaFrame[] {
    const own = this.#quality.cached();
    const [first] = own;
    if (!first) return [];
    const sounds = this.#view.cached().filter(({ kind, dtsMs }) => kind === 'audio' && dtsMs >= first.dtsMs);
    return [...own, ...sounds].sort((a, b) => a.dtsMs - b.dtsMs);
  }

  attach(packager: Packager): void {
    if (!this.#isAttached) {
      this.#isAttached = true;
      this.#video = this.#quality.video;
      this.#view.attach(this.#lead);
      this.#quality.attach(this.#own);
    }
    // The quality may be over by now.
    if (!this.#isAttached) packager.close();
    else this.#packagers.add(packager, [this.#video, this.audio]);
  }

  detach(packager: Packager): void {
    this.#packagers.remove(packager);
    if (this.#packagers.size === 0) this.#rest();
  }

  #rest(): void {
    if (!this.#isAttached) return;
    this.#isAttached = false;
    this.#view.detach(this.#lead);
    this.#quality.detach(this.#own);
    this.#merger.flush();
  }

  #close(): void {
    this.#rest();
    this.#packagers.close();
  }

  #onVideoConfig(config: VideoConfig): void {
    if (config === this.#video) return;
    this.#video = config;
    this.#packagers.config(config);
  }

  readonly #lead: Packager = {
    onConfig: (config: TrackConfig) => {
      if (config.kind === 'audio') this.#packagers.config(config);
    },
    onTrackMissing: (kind) => {
      if (kind === 'audio') this.#packagers.missing(kind);
    },
    onFrame: (frame) => this.#merger.lead(frame),
    onDiscontinuity: () => {
      this.#merger.flush();
      this.#packagers.discontinuity();
    },
    onLeave: () => this.#packagers.leave(),
    close: () => this.#close(),
  };

  readonly #own: Packager = {
    onConfig: (config) => {
      if (config.kind === 'video') this.#merger.config(config);
    },
    onFrame: (frame) => this.#merger.own(frame),
    // The stream has one at the same place.
    onDiscontinuity: () => undefined,
    close: () => this.#close(),
  };
}
