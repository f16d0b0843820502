import type { MediaFrame } from '@weir/media';

/** Times of one frame of the stream. */
interface SourceTimes {
  readonly dtsMs: number;
  readonly ptsMs: number;
  /** Presentation minus decoding time of the keyframe that begins its group. */
  readonly delayMs: number;
}

/** Number of frames that are remembered, many times more than an encoder holds. */
const mostFrames = 512;
/** Tolerance for the clock of MPEG-TS, which counts in 11 µs. */
const samePtsMs = 0.5;
/** Tolerance for RTMP, which rounds times to milliseconds. */
const sameDtsMs = 1.5;

/**
 * Gives every frame of a rung the exact times of the stream's frame that it shows. Rungs have no B-frames, so the delay between decoding and
 * presentation is that of the stream's keyframes. Frames of both are then in the same order, and segments begin at the same place.
 */
export class RungClock {
  #source: SourceTimes[] = [];
  #delayMs = 0;

  /** Adds a frame of the stream, in the order of decoding. */
  add({ dtsMs, ptsMs, isKeyframe }: MediaFrame): void {
    if (isKeyframe) this.#delayMs = Math.max(0, ptsMs - dtsMs);
    this.#source.push({ dtsMs, ptsMs, delayMs: this.#delayMs });
    if (this.#source.length > 2 * mostFrames) this.#source = this.#source.slice(-mostFrames);
  }

  /** Returns a frame of a rung with the times of the stream. */
  place(frame: MediaFrame): MediaFrame {
    const source = this.#source.findLast(({ ptsMs }) => Math.abs(ptsMs - frame.ptsMs) <= samePtsMs);
    const ptsMs = source?.ptsMs ?? frame.ptsMs;
    const decodedMs = ptsMs - (source?.delayMs ?? this.#delayMs);
    const near = this.#source.findLast(({ dtsMs }) => Math.abs(dtsMs - decodedMs) <= sameDtsMs);
    const dtsMs = Math.min(ptsMs, near?.dtsMs ?? decodedMs);
    return { ...frame, dtsMs, ptsMs };
  }
}
