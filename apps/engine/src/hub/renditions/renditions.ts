import { availableParallelism } from 'node:os';
import type { Log } from '@weir/plane';
import type { Stream } from '../stream.ts';
import type { ConversionContext, ConversionLimits } from './conversion.ts';
import { Rendition } from './rendition.ts';
import type { Taste } from './taste.ts';

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
  holdAtStartMs: 2000,
  mostVideos: 3 * availableParallelism(),
  crowdedRetryMs: 3000,
};

/** Every stream in the forms that kinds of players can decode. A server names its taste and attaches to what it gets. */
export class Renditions {
  readonly #byStream = new WeakMap<Stream, Map<Taste, Rendition>>();
  readonly #children = new Map<Promise<unknown>, 'video' | 'audio'>();
  readonly #options: Options;
  #isFfmpegMissing = false;

  constructor(options: Options) {
    this.#options = options;
  }

  of(stream: Stream, taste: Taste): Rendition {
    const tastes = this.#byStream.get(stream) ?? new Map<Taste, Rendition>();
    this.#byStream.set(stream, tastes);
    const existing = tastes.get(taste);
    if (existing) return existing;
    const created = new Rendition(stream, taste, this.#contextOf(stream, taste));
    tastes.set(taste, created);
    return created;
  }

  /** Children that run now. */
  get running(): number {
    return this.#children.size;
  }

  /** Resolves when the last child is gone. The streams are closed before. */
  async close(): Promise<void> {
    while (this.#children.size > 0) await Promise.all(this.#children.keys());
  }

  #contextOf({ key }: Stream, taste: Taste): ConversionContext {
    const { log, ffmpeg = 'ffmpeg', limits } = this.#options;
    return {
      ffmpeg,
      limits: { ...defaultLimits, ...limits },
      log: log.child({ stream: key, rendition: taste }),
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
        'ffmpeg is not installed: sound is not converted between AAC and Opus, and pictures with B-frames do not ' +
          'play over WebRTC. Install ffmpeg (on Debian: apt-get install ffmpeg); a restart is not needed.',
      );
    }
    this.#isFfmpegMissing = isMissing;
  }
}
