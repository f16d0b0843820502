import type { MediaFrame, VideoConfig } from '@weir/media';

/** Closed groups of pictures, without B-frames, that are shown again and again. */
export interface SlateLoop {
  readonly video: VideoConfig;
  readonly pictures: readonly Pick<MediaFrame, 'isKeyframe' | 'payload'>[];
  readonly intervalMs: number;
}

/** Showing of a loop from one moment on. Times are multiples of the interval: rounded steps would add up. */
export class SlatePlayback {
  readonly loop: SlateLoop;
  /** Audio frames of this showing so far. */
  heard = 0;
  readonly #startMs: number;
  #sent = 0;

  constructor(loop: SlateLoop, startMs: number) {
    this.loop = loop;
    this.#startMs = startMs;
  }

  /** Another loop can follow here. */
  get isAtStart(): boolean {
    return this.#sent % this.loop.pictures.length === 0;
  }

  /** The next picture, if its time has come. */
  next(untilMs: number): MediaFrame | undefined {
    const { video, pictures, intervalMs } = this.loop;
    const atMs = this.#startMs + this.#sent * intervalMs;
    const picture = pictures[this.#sent % pictures.length];
    if (atMs > untilMs || !picture) return undefined;
    this.#sent += 1;
    return { kind: 'video', codec: video.codec, dtsMs: atMs, ptsMs: atMs, ...picture };
  }
}
