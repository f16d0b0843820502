import { isSameDecoder, type MediaFrame, type TrackConfig } from '@weir/media';
import { GopCache } from '../gop-cache.ts';
import { inOwnMemory } from '../own-memory.ts';
import type { Packager } from '../packager.ts';
import { Packagers } from '../packagers.ts';
import { RateMeter } from '../rate-meter.ts';
import type { FrameSource } from '../stream.ts';

/** Time without frames after which a track is not offered to viewers until it returns. */
const pausedMs = 1500;
/** Seconds over which rates are averaged: a few groups of pictures. */
const rateSeconds = 8;

/** Further track of a stream, on the stream's clock. */
export class SideTrack<Config extends TrackConfig> implements FrameSource {
  readonly name: string;
  readonly #bytesIn = new RateMeter();
  readonly #cache = new GopCache();
  readonly #packagers: Packagers;
  #config: Config;
  #heardMs = performance.now();
  #isOver = false;

  constructor(name: string, config: Config, onFault: (error: unknown) => void) {
    this.name = name;
    this.#config = config;
    this.#packagers = new Packagers(onFault);
  }

  get current(): Config {
    return this.#config;
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
    else this.#packagers.add(packager, [this.#config]);
  }

  detach(packager: Packager): void {
    this.#packagers.remove(packager);
  }

  config(config: Config): void {
    if (isSameDecoder(this.#config, config)) return;
    this.#config = config;
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

  /** Called when the next frame does not continue the last one, because the stream's clock jumped. */
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
