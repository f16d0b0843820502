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
  /** Name or path of the program. */
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

/** Views of all streams by player kind. A server asks for the view of a kind and attaches to it. */
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

  /** View of a stream for classic players, with the video of a quality if one is given. */
  ofQuality(stream: Stream, quality: Quality | undefined): StreamView {
    const view = this.of(stream, 'classic');
    if (!quality) return view;
    const known = this.#byQuality.get(quality) ?? new QualityView(view, quality, (error) => stream.fault(error));
    this.#byQuality.set(quality, known);
    return known;
  }

  /** Number of running children. */
  get running(): number {
    return this.#children.size;
  }

  /** Resolves when the last child is gone. Called after the streams are closed. */
  async close(): Promise<void> {
    while (this.#children.size > 0) await Promise.all(this.#children.keys());
  }

  /** Context for a stream's conversions, whose children count towards the common limits. */
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
