import { noStatistics, type PlayerStatistics } from '../session/player-state.ts';
import type { PlaybackMetrics } from './playback.ts';

/** Measures what a video element shows. */
export class VideoMeter {
  readonly #video: HTMLVideoElement;
  #statistics: PlayerStatistics = noStatistics;
  #askedAtMs = performance.now();
  #frames: { readonly count: number; readonly atMs: number } | undefined;
  /** Frames dropped by earlier attempts; the element counts anew for each. */
  #droppedBefore = 0;

  constructor(video: HTMLVideoElement) {
    this.#video = video;
  }

  /** New attempt: keeps stalls and dropped frames, resets the rest. */
  restart(): void {
    this.#askedAtMs = performance.now();
    this.#droppedBefore = this.#statistics.droppedFrames;
    this.#frames = undefined;
    this.#statistics = { stalls: this.#statistics.stalls, droppedFrames: this.#droppedBefore };
  }

  onPlaying(): void {
    this.#statistics = {
      ...this.#statistics,
      firstFrameMs: this.#statistics.firstFrameMs ?? performance.now() - this.#askedAtMs,
    };
  }

  onStall(): void {
    this.#statistics = { ...this.#statistics, stalls: this.#statistics.stalls + 1 };
  }

  read({ progress: _progress, ...measured }: PlaybackMetrics): PlayerStatistics {
    const quality = this.#video.getVideoPlaybackQuality?.();
    const now = { count: quality?.totalVideoFrames ?? 0, atMs: performance.now() };
    const before = this.#frames;
    this.#frames = now;
    const { videoWidth, videoHeight } = this.#video;
    this.#statistics = {
      ...this.#statistics,
      ...measured,
      width: videoWidth || undefined,
      height: videoHeight || undefined,
      fps:
        before && videoWidth > 0
          ? Math.max(0, (now.count - before.count) / (now.atMs - before.atMs)) * 1000
          : undefined,
      droppedFrames: this.#droppedBefore + (quality?.droppedVideoFrames ?? 0),
    };
    return this.#statistics;
  }
}
