import type { MediaFrame } from '@weir/media';

/** A second of what belongs beside a stream that has not begun. */
const most = { frames: 512, bytes: 4 * 1024 * 1024 } as const;

/** Frames of further tracks that come before the stream has begun, by the number of the track. Too many are dropped. */
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
