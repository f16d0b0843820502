import type { VideoConfig } from '@weir/media';
import type { ReceivedPicture } from '@weir/media/rtp';

/** Limits of the pictures that wait for the lead. Layers arrive up to half a second apart. */
const most = { pictures: 256, bytes: 8 * 1024 * 1024 } as const;
/** Ticks of half a frame at 60 frames per second: a picture has nearly the same time in all layers. */
const samePictureTicks = 750;
/** Number of the lead's latest times that are kept, for some seconds. */
const remembered = 128;

interface Waiting {
  readonly layer: number;
  readonly picture: ReceivedPicture;
  readonly config: VideoConfig | undefined;
  /** On the clock of the lead. */
  readonly timestamp: number;
}

/** Picture of a lower layer to pass on now, with the time of the lead's picture of the same moment. */
interface DuePicture {
  readonly layer: number;
  readonly picture: ReceivedPicture;
  readonly ms: number;
  /** Present if the decoder must be set up before this picture. */
  readonly config: VideoConfig | undefined;
}

/**
 * Gives pictures of a publisher's lower layers the times of its lead. A picture waits until the lead has reached its time, because a change
 * of the lead's clock moves all layers. It then gets exactly the time of the lead's picture, so that segments of all qualities begin with the
 * same picture.
 */
export class LowerLayers {
  #waiting: Waiting[] = [];
  #bytes = 0;
  /** Timestamps of the lead and their times on the clock of the stream. */
  readonly #ticks = new Float64Array(remembered);
  readonly #ms = new Float64Array(remembered);
  #count = 0;
  /** Layers without a missing picture since their last keyframe. */
  readonly #begun = new Set<number>();
  /** Configs that were passed on. */
  readonly #told = new Map<number, VideoConfig>();

  /** Adds a picture. `timestamp`: on the lead's clock; undefined while the distance of the clocks is not known. */
  push(layer: number, picture: ReceivedPicture, config: VideoConfig | undefined, timestamp: number | undefined): void {
    if (timestamp === undefined || (!picture.isKeyframe && !this.#begun.has(layer))) {
      this.#begun.delete(layer);
      return;
    }
    this.#begun.add(layer);
    this.#waiting.push({ layer, picture, config, timestamp });
    this.#bytes += picture.payload.length;
    if (this.#waiting.length > most.pictures || this.#bytes > most.bytes) this.#drop();
  }

  /** Drops the pictures of a layer that has become the lead. */
  promote(layer: number): void {
    this.#begun.delete(layer);
    this.#told.delete(layer);
    this.#waiting = this.#waiting.filter((each) => each.layer !== layer);
    this.#bytes = this.#waiting.reduce((sum, { picture }) => sum + picture.payload.length, 0);
  }

  /** True if the next picture of the layer must be a keyframe. */
  needsKeyframe(layer: number): boolean {
    return !this.#begun.has(layer);
  }

  /** Notes the time of a picture of the lead on the stream's clock. Returns the pictures that waited for it. */
  release(timestamp: number, ms: number): readonly DuePicture[] {
    this.#ticks[this.#count % remembered] = timestamp;
    this.#ms[this.#count % remembered] = ms;
    this.#count += 1;
    const isDue = (one: Waiting) => ((one.timestamp - timestamp) | 0) <= samePictureTicks;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((one) => !isDue(one));
    for (const { picture } of due) this.#bytes -= picture.payload.length;
    return due.map(({ layer, picture, config, timestamp: ticks }) => ({
      layer,
      picture,
      ms: this.#msOf(ticks),
      config: this.#newConfig(layer, config),
    }));
  }

  #newConfig(layer: number, config: VideoConfig | undefined): VideoConfig | undefined {
    if (!config || this.#told.get(layer) === config) return undefined;
    this.#told.set(layer, config);
    return config;
  }

  /** Time of the lead's nearest picture; if that is another picture, plus the distance to it. */
  #msOf(timestamp: number): number {
    let nearest = 0;
    let apart = Number.POSITIVE_INFINITY;
    for (let index = 0; index < Math.min(remembered, this.#count); index++) {
      const ticks = (timestamp - (this.#ticks[index] ?? 0)) | 0;
      if (Math.abs(ticks) >= Math.abs(apart)) continue;
      apart = ticks;
      nearest = this.#ms[index] ?? 0;
    }
    return Math.abs(apart) <= samePictureTicks / 2 ? nearest : nearest + apart / 90;
  }

  #drop(): void {
    this.#waiting = [];
    this.#bytes = 0;
    this.#begun.clear();
  }
}
