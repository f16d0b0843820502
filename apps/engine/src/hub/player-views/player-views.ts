import { availableParallelism } from 'node:os';
import type { Log } from '@weir/plane';
import type { Quality } from '../qualities/quality.ts';
import { QualityView } from '../qualities/quality-view.ts';
import type { Stream, StreamView } from '../stream.ts';
import type { ConversionContext, ConversionLimits } from './conversion.ts';
import type { PlayerKind } from './player-kind.ts';
import { PlayerView } from './player-view.ts';

interface Options {
  readonly log: Log;
  /** The program; found on the path unless it is one itself. */
  readonly ffmpeg?: string;
  readonly limits?: Partial<ConversionLimits>;
}

export const defaultLimits: ConversionLimits = {
  lingerMs: 5000,
  stallMs: 4000,
  missingRetryMs: 15_000,
  holdMs: 500,
  holdAtStartMs: 6000,
  silentMs: 500,
  mostVideos: 3 * availableParallelism(),
  crowdedRetryMs: 3000,
};

/** Every stream in the forms that kinds of players can decode. A server names the kind and attaches to what it gets. */
export class PlayerViews {
  readonly #byStream = new WeakMap<Stream, Map<PlayerKind, PlayerView>>();
  readonly #byQuality = new WeakMap<Quality, QualityView>();
  readonly #children = new Map<Promise<unknown>, 'video' | 'audio'>();
  readonly #options: Options;
  #isFfmpegMissing = false;

  constructor(options: Options) {
    this.#options = options;
  }

  of(stream: Stream, playerKind: PlayerKind): PlayerView {
    const byKind = this.#byStream.get(stream) ?? new Map<PlayerKind, PlayerView>();
    this.#byStream.set(stream, byKind);
    const existing = byKind.get(playerKind);
    if (existing) return existing;
    const created = new PlayerView(stream, playerKind, this.conversions(stream.key, playerKind));
    byKind.set(playerKind, created);
    return created;
  }

  /** The stream with the video of a quality, for classic players; without one, as it is. */
  ofQuality(stream: Stream, quality: Quality | undefined): StreamView {
    const view = this.of(stream, 'classic');
    if (!quality) return view;
    const known = this.#byQuality.get(quality) ?? new QualityView(view, quality, (error) => stream.fault(error));
    this.#byQuality.set(quality, known);
    return known;
  }

  /** Children that run now. */
  get running(): number {
    return this.#children.size;
  }

  /** Resolves when the last child is gone. The streams are closed before. */
  async close(): Promise<void> {
    while (this.#children.size > 0) await Promise.all(this.#children.keys());
  }

  /** Context of conversions of a stream, which count and end with all others. */
  conversions(key: string, rendition: string): ConversionContext {
    const { log, ffmpeg = 'ffmpeg', limits } = this.#options;
    return {
      ffmpeg,
      limits: { ...defaultLimits, ...limits },
      log: log.child({ stream: key, rendition }),
      onStarted: (kind, ended) => {
        this.#children.set(ended, kind);
        ended.finally(() => this.#children.delete(ended));
      },
      videos: () => [...this.#children.values()].filter((kind) => kind === 'video').length,
      onMissing: (isMissing) => this.#noteMissing(isMissing),
      isMissing: () => this.#isFfmpegMissing,
    };
  }

  #noteMissing(isMissing: boolean): void {
    if (isMissing && !this.#isFfmpegMissing) {
      this.#options.log.error(
        'FFmpeg is not installed: audio is not converted between AAC and Opus, and video with B-frames does not ' +
          'play over WebRTC. Install it (on Debian: apt-get install ffmpeg); no restart is needed.',
      );
    }
    this.#isFfmpegMissing = isMissing;
  }
}
