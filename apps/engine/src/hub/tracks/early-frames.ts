import type { MediaFrame } from '@weir/media';

/** Limit of waiting frames: about a second of them. */
const most = { frames: 512, bytes: 4 * 1024 * 1024 } as const;

/** Frames of further tracks that arrive before the stream has begun, by track number. At the limit all of them are dropped. */
export class EarlyFrames {
  #frames: { readonly track: number; readonly frame: MediaFrame }[] = [];
  #bytes = 0;

  hold(track: number, frame: MediaFrame): void {
    this.#bytes += frame.payload.length;
    if (this.#frames.length >= most.frames || this.#bytes > most.bytes) this.take();
    else this.#frames.push({ track, frame });
  }

  take() {
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    return frames;
  }
}
