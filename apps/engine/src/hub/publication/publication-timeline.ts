import type { MediaFrame } from '@weir/media';

/** Odd, so that the median is one of the steps. */
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

  /** `usualStepMs`: assumed length of a frame until two frames are known. */
  constructor(usualStepMs: number) {
    this.#usualStepMs = usualStepMs;
  }

  /** Undefined before the first frame. */
  get lastDtsMs(): number | undefined {
    return this.#lastDtsMs;
  }

  /** Median of the last steps: RTMP rounds times to milliseconds, and a single late frame must not count. */
  get frameMs(): number {
    const sorted = [...this.#steps].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? this.#usualStepMs;
  }

  /** End of the frame with the highest presentation time; undefined before the first frame. */
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

/** A step this large is no late frame: the publisher's clock was set, or media is missing. */
const forwardJumpMs = 10_000;
const backwardJumpMs = 2000;
/** If audio ended this much later than video, the video had stopped before, and the join follows the audio. */
const mostOverlapMs = 250;
/** Limit for composition offsets. */
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
  /** The same for each track since the last join: one track may be seconds behind the other for long. */
  #lastRawOf: Partial<Record<MediaFrame['kind'], number>> = {};
  #newestMs = 0;
  #hasStarted = false;
  /** Audio before this time overlaps audio from before the join. */
  #audioFromMs = Number.NEGATIVE_INFINITY;
  #isCompressing = false;

  /** The newest time on the stream's clock. */
  get newestMs(): number {
    return this.#newestMs;
  }

  /** True if the publisher's clock jumped. */
  isJump({ kind, dtsMs }: MediaFrame): boolean {
    const lastMs = this.#lastRawOf[kind] ?? this.#lastRawMs;
    return dtsMs - this.#lastRawMs > forwardJumpMs || lastMs - dtsMs > backwardJumpMs;
  }

  /**
   * Maps a new clock: that of another publisher, or one that was set. `frames` are its first frames, as far as they
   * are known. Returns true when they follow earlier ones.
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
    this.#lastRawOf = {};
    const audioEndMs = this.#audio.endMs ?? 0;
    this.#audioFromMs = isSeam ? Math.max(0, audioEndMs - this.#audio.frameMs / 2) : Number.NEGATIVE_INFINITY;
    this.#isCompressing = isSeam;
    return isSeam;
  }

  /** Returns the frame with its time on the stream's clock; undefined for audio that overlaps audio before the join. */
  place(frame: MediaFrame): MediaFrame | undefined {
    const { kind, codec, isKeyframe, payload } = frame;
    if (frame.dtsMs > this.#lastRawMs) this.#lastRawMs = frame.dtsMs;
    this.#lastRawOf[kind] = Math.max(frame.dtsMs, this.#lastRawOf[kind] ?? frame.dtsMs);
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
    // Most publishers begin at zero, so their frames need no copy.
    if (dtsMs === frame.dtsMs && ptsMs === frame.ptsMs) return frame;
    return { kind, codec, dtsMs, ptsMs, isKeyframe, payload };
  }

  /** A frame of another quality of the same pictures. It does not move the clock. */
  placeBeside(frame: MediaFrame): MediaFrame {
    const { kind, codec, isKeyframe, payload } = frame;
    return { kind, codec, dtsMs: this.#map(frame.dtsMs), ptsMs: this.#map(frame.ptsMs), isKeyframe, payload };
  }

  /** Presentation time of the first frame after a join. */
  #joinMs(kind: MediaFrame['kind']): number {
    const videoMs = this.#video.endMs;
    const audioMs = this.#audio.endMs;
    if (videoMs === undefined || audioMs === undefined) return videoMs ?? audioMs ?? this.#newestMs;
    const [ownMs, otherMs] = kind === 'video' ? [videoMs, audioMs] : [audioMs, videoMs];
    return otherMs - ownMs > mostOverlapMs ? otherMs : ownMs;
  }

  /**
   * Raises decode times that would lie before the last one. That happens when a publisher with B-frames follows one
   * without: its frames are decoded earlier than they are shown. Each gets the smallest step until its own time is later.
   */
  #compress(dtsMs: number): number {
    const leastMs = (this.#video.lastDtsMs ?? Number.NEGATIVE_INFINITY) + smallestStepMs;
    if (dtsMs >= leastMs) this.#isCompressing = false;
    return Math.max(dtsMs, leastMs);
  }

  /** Maps a publisher's time to the stream's clock. Never below zero, because wire formats are unsigned. */
  #map(rawMs: number): number {
    return Math.max(0, rawMs + this.#offsetMs);
  }
}

/** Presentation time of a first frame, with the composition offset limited. */
function shownMs({ dtsMs, ptsMs }: MediaFrame): number {
  return dtsMs + Math.min(mostReorderMs, Math.max(0, ptsMs - dtsMs));
}
