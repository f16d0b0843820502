import type { ReceivedPicture } from '@weir/media/rtp';

/** More than any layer has in the second that is waited for the others. */
const mostPictures = 256;
const mostBytes = 8 * 1024 * 1024;

interface Held {
  readonly picture: ReceivedPicture;
  readonly cameMs: number;
}

/**
 * The newest group of pictures of the best layer so far, until it is known which one leads: a publisher that sends keyframes only
 * when it likes would otherwise begin with its next one.
 */
export class FrameHoldback {
  layer: number | undefined;
  #pictures: Held[] = [];
  #bytes = 0;

  begin(layer: number): void {
    this.clear();
    this.layer = layer;
  }

  push(picture: ReceivedPicture, cameMs: number): void {
    this.#bytes += picture.payload.length;
    if (this.#pictures.length >= mostPictures || this.#bytes > mostBytes) this.clear();
    else this.#pictures.push({ picture, cameMs });
  }

  take(): readonly Held[] {
    const pictures = this.#pictures;
    this.clear();
    return pictures;
  }

  clear(): void {
    this.layer = undefined;
    this.#pictures = [];
    this.#bytes = 0;
  }
}
