import type { MediaFrame } from '@weir/media';

interface Fed {
  readonly dtsMs: number;
  readonly ptsMs: number;
  /** Of the keyframe that its group begins with: presentation minus decoding. */
  readonly delayMs: number;
}

/** Frames that an encoder may have inside, many times over. */
const mostFed = 512;
/** MPEG-TS counts in 11 µs. */
const samePtsMs = 0.5;
/** RTMP rounds times to milliseconds. */
const sameDtsMs = 1.5;

/**
 * Gives frames of rungs exactly the times of the stream's frames that they show. Rungs have no B-frames: they are decoded as long before they
 * are shown as keyframes of the stream are, so that both are in the same order and a segment begins at the same place.
 */
export class RungClock {
  #fed: Fed[] = [];
  #delayMs = 0;

  /** A frame of the stream, in the order of decoding. */
  feed({ dtsMs, ptsMs, isKeyframe }: MediaFrame): void {
    if (isKeyframe) this.#delayMs = Math.max(0, ptsMs - dtsMs);
    this.#fed.push({ dtsMs, ptsMs, delayMs: this.#delayMs });
    if (this.#fed.length > 2 * mostFed) this.#fed = this.#fed.slice(-mostFed);
  }

  /** The frame of a rung with times of the stream. */
  place(frame: MediaFrame): MediaFrame {
    const source = this.#fed.findLast(({ ptsMs }) => Math.abs(ptsMs - frame.ptsMs) <= samePtsMs);
    const ptsMs = source?.ptsMs ?? frame.ptsMs;
    const decodedMs = ptsMs - (source?.delayMs ?? this.#delayMs);
    const near = this.#fed.findLast(({ dtsMs }) => Math.abs(dtsMs - decodedMs) <= sameDtsMs);
    const dtsMs = Math.min(ptsMs, near?.dtsMs ?? decodedMs);
    return { ...frame, dtsMs, ptsMs };
  }
}
