import type { MediaFrame } from '@weir/media';

/** An odd number, so that the median of whole milliseconds is one of them. */
const keptSteps = 5;
/** A longer step is a pause, not the length of a frame. */
const longestStepMs = 1000;

/** End of a track on the stream's clock, where the next publisher is joined. */
class TrackEnd {
  readonly #usualStepMs: number;
  readonly #steps: number[] = [];
  #nextStep = 0;
  #lastDtsMs: number | undefined;
  #highestPtsMs = 0;

  /** `usualStepMs`: the length of a frame, until there are two of them. */
  constructor(usualStepMs: number) {
    this.#usualStepMs = usualStepMs;
  }

  /** Undefined before the first frame. */
  get lastDtsMs(): number | undefined {
    return this.#lastDtsMs;
  }

  /** The median of the last steps: RTMP rounds times to milliseconds, and one late frame is no measure. */
  get frameMs(): number {
    const sorted = [...this.#steps].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? this.#usualStepMs;
  }

  /** When the frame that is shown last ends; undefined before the first frame. */
  get endMs(): number | undefined {
    return this.#lastDtsMs === undefined ? undefined : this.#highestPtsMs + this.frameMs;
  }

  push(dtsMs: number, ptsMs: number): void {
    const stepMs = this.#lastDtsMs === undefined ? 0 : dtsMs - this.#lastDtsMs;
    if (stepMs > 0 && stepMs <= longestStepMs) {
      this.#steps[this.#nextStep] = stepMs;
      this.#nextStep = (this.#nextStep + 1) % keptSteps;
    }
    if (this.#lastDtsMs === undefined || ptsMs > this.#highestPtsMs) this.#highestPtsMs = ptsMs;
    if (this.#lastDtsMs === undefined || stepMs > 0) this.#lastDtsMs = dtsMs;
  }
}

/** A step this large is not a late frame: the publisher's clock was set, or it lost that much. */
const forwardJumpMs = 10_000;
const backwardJumpMs = 2000;
/** Audio that ended this much later than the video is not cut off for it: the video had stopped before. */
const mostOverlapMs = 250;
/** Larger composition offsets are not believed. */
const mostReorderMs = 1000;
/** Smallest step of RTMP timestamps. */
const smallestStepMs = 1;

/**
 * The clock of a stream. A publisher's own clock is mapped onto it, so that it goes on when a publisher returns, is
 * replaced, or jumps in time. Both tracks share the mapping, which keeps audio and video together.
 *
 * Where two publishers are joined, the first video frame is shown one frame after the last: players stop at a hole.
 * Audio is dropped until it follows the last audio within half a frame.
 */
export class PublicationTimeline {
  readonly #video = new TrackEnd(40);
  readonly #audio = new TrackEnd(23);
  #offsetMs = 0;
  /** The newest time on the publisher's clock. */
  #lastRawMs = 0;
  #newestMs = 0;
  #hasStarted = false;
  /** Audio before it overlaps what was sent before the join. */
  #audioFromMs = Number.NEGATIVE_INFINITY;
  #isCompressing = false;

  /** The newest time on the stream's clock. */
  get newestMs(): number {
    return this.#newestMs;
  }

  /** True if the publisher's clock jumped. */
  isJump({ dtsMs }: MediaFrame): boolean {
    return dtsMs - this.#lastRawMs > forwardJumpMs || this.#lastRawMs - dtsMs > backwardJumpMs;
  }

  /**
   * Maps a clock that has nothing to do with the one before: that of another publisher, or one that was set. Takes the
   * first frames, as far as they are known. True when they follow others.
   */
  join(frames: readonly MediaFrame[]): boolean {
    const first = frames.find(({ kind }) => kind === 'video') ?? frames[0];
    if (!first) return false;
    const isSeam = this.#hasStarted;
    this.#hasStarted = true;
    this.#offsetMs = isSeam
      ? this.#joinMs(first.kind) - shownMs(first)
      : -Math.min(...frames.map(({ dtsMs }) => dtsMs));
    this.#lastRawMs = first.dtsMs;
    const audioEndMs = this.#audio.endMs ?? 0;
    this.#audioFromMs = isSeam ? Math.max(0, audioEndMs - this.#audio.frameMs / 2) : Number.NEGATIVE_INFINITY;
    this.#isCompressing = isSeam;
    return isSeam;
  }

  /** The frame at its time on the stream's clock; undefined for audio that overlaps what was sent before. */
  place(frame: MediaFrame): MediaFrame | undefined {
    if (frame.dtsMs > this.#lastRawMs) this.#lastRawMs = frame.dtsMs;
    const { kind, codec, isKeyframe, payload } = frame;
    let dtsMs = this.#map(frame.dtsMs);
    let ptsMs = this.#map(frame.ptsMs);
    if (kind === 'video') {
      if (this.#isCompressing) {
        dtsMs = this.#compress(dtsMs);
        ptsMs = Math.max(ptsMs, dtsMs);
      }
      this.#video.push(dtsMs, ptsMs);
    } else {
      if (frame.dtsMs + this.#offsetMs < this.#audioFromMs) return undefined;
      this.#audioFromMs = Number.NEGATIVE_INFINITY;
      this.#audio.push(dtsMs, ptsMs);
    }
    if (dtsMs > this.#newestMs) this.#newestMs = dtsMs;
    // Most publishers begin at zero, and their frames are right as they are.
    if (dtsMs === frame.dtsMs && ptsMs === frame.ptsMs) return frame;
    return { kind, codec, dtsMs, ptsMs, isKeyframe, payload };
  }

  /** When the first frame of a new clock is shown. */
  #joinMs(kind: MediaFrame['kind']): number {
    const videoMs = this.#video.endMs;
    const audioMs = this.#audio.endMs;
    if (videoMs === undefined || audioMs === undefined) return videoMs ?? audioMs ?? this.#newestMs;
    const [ownMs, otherMs] = kind === 'video' ? [videoMs, audioMs] : [audioMs, videoMs];
    return otherMs - ownMs > mostOverlapMs ? otherMs : ownMs;
  }

  /**
   * Pictures that are decoded long before they are shown follow some that were not: their decode times would lie before
   * the last one. These rise by the least there is until they are where they belong.
   */
  #compress(dtsMs: number): number {
    const leastMs = (this.#video.lastDtsMs ?? Number.NEGATIVE_INFINITY) + smallestStepMs;
    if (dtsMs >= leastMs) this.#isCompressing = false;
    return Math.max(dtsMs, leastMs);
  }

  /** A publisher's time on the stream's clock. Never below zero, which wire formats cannot say. */
  #map(rawMs: number): number {
    return Math.max(0, rawMs + this.#offsetMs);
  }
}

/** The time at which a first frame is shown. */
function shownMs({ dtsMs, ptsMs }: MediaFrame): number {
  return dtsMs + Math.min(mostReorderMs, Math.max(0, ptsMs - dtsMs));
}
