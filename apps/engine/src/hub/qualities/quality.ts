import { isSameDecoder, type MediaFrame, type VideoConfig } from '@weir/media';
import { GopCache } from '../gop-cache.ts';
import { inOwnMemory } from '../own-memory.ts';
import type { Packager } from '../packager.ts';
import { Packagers } from '../packagers.ts';
import { RateMeter } from '../rate-meter.ts';
import type { FrameSource } from '../stream.ts';

/** Silence after which a quality is not offered to viewers until it returns. */
const pausedMs = 1500;
/** Averages a few groups of pictures. */
const rateSeconds = 8;

/** A lower quality of a stream's video, on the stream's clock. The audio is the stream's. */
export class Quality implements FrameSource {
  /** By the size it began with. */
  readonly name: string;
  readonly #bytesIn = new RateMeter();
  readonly #cache = new GopCache();
  readonly #packagers: Packagers;
  #video: VideoConfig;
  #heardMs = performance.now();
  #isOver = false;

  constructor(name: string, video: VideoConfig, onFault: (error: unknown) => void) {
    this.name = name;
    this.#video = video;
    this.#packagers = new Packagers(onFault);
  }

  get video(): VideoConfig {
    return this.#video;
  }

  get isPaused(): boolean {
    return this.silentMs >= pausedMs;
  }

  get silentMs(): number {
    return performance.now() - this.#heardMs;
  }

  get kbps(): number {
    return (this.#bytesIn.perSecond(rateSeconds) * 8) / 1000;
  }

  cached(): readonly MediaFrame[] {
    return this.#cache.frames;
  }

  attach(packager: Packager): void {
    if (this.#isOver) packager.close();
    else this.#packagers.add(packager, [this.#video]);
  }

  detach(packager: Packager): void {
    this.#packagers.remove(packager);
  }

  config(config: VideoConfig): void {
    if (isSameDecoder(this.#video, config)) return;
    this.#video = config;
    this.#cache.clear();
    this.#packagers.config(config);
  }

  /** A frame on the clock of the stream. */
  frame(placed: MediaFrame): void {
    const frame = inOwnMemory(placed);
    this.#heardMs = performance.now();
    this.#bytesIn.add(frame.payload.length);
    this.#cache.push(frame);
    this.#packagers.frame(frame);
  }

  /** The next frame does not continue the last: the stream's clock was joined anew. */
  discontinuity(): void {
    this.#cache.clear();
    this.#packagers.discontinuity();
  }

  close(): void {
    this.#isOver = true;
    this.#cache.clear();
    this.#packagers.close();
  }
}
