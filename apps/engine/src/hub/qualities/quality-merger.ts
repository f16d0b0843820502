import type { MediaFrame, TrackConfig } from '@weir/media';

/** Lag above which a quality counts as paused. */
const pausedMs = 1500;
/** Limit of frames that wait for the stream. Further ones are dropped. */
const mostOwnBytes = 16 * 1024 * 1024;
/** Tolerance for rounding: frames of one picture in two qualities have the same time. */
const sameMs = 0.5;

interface Output {
  frame(frame: MediaFrame): void;
  config(config: TrackConfig): void;
}

/** Audio or an action at a place in the stream. */
interface LeadItem {
  readonly ms: number;
  readonly frame?: MediaFrame;
  readonly act?: () => void;
}

/**
 * Merges the video of a lower quality with the audio of the stream in the frame order of the stream, so that every quality has the same
 * audio between the same video frames. Frames pass once the stream has reached their time.
 */
export class QualityMerger {
  readonly #output: Output;
  #lead: LeadItem[] = [];
  #own: (MediaFrame | TrackConfig)[] = [];
  #ownBytes = 0;
  #leadMs = Number.NEGATIVE_INFINITY;
  /** Newest video of the quality, and the position up to which the stream does not wait for it. */
  #ownMs = Number.NEGATIVE_INFINITY;
  #passedMs = Number.NEGATIVE_INFINITY;
  #needsKeyframe = true;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Adds a frame of the stream. */
  lead(frame: MediaFrame): void {
    if (frame.kind === 'audio') this.#lead.push({ ms: frame.dtsMs, frame });
    this.advance(frame.dtsMs);
  }

  /** Notes that the stream has reached this time. */
  advance(ms: number): void {
    this.#leadMs = Math.max(this.#leadMs, ms);
    this.#release();
  }

  /** Calls `act` after all earlier frames of the quality. */
  mark(ms: number, act: () => void): void {
    this.#leadMs = Math.max(this.#leadMs, ms);
    this.#lead.push({ ms, act });
  }

  /** Adds a frame of the quality, or of alternative audio without video. */
  own(frame: MediaFrame): void {
    // Includes a late frame, after which the stream waits for the quality again.
    this.#ownMs = frame.dtsMs;
    const isLate = frame.dtsMs < this.#passedMs - sameMs;
    this.#needsKeyframe = isLate || (this.#needsKeyframe && !frame.isKeyframe);
    if (this.#needsKeyframe) {
      this.#release();
      return;
    }
    this.#own.push(frame);
    this.#ownBytes += frame.payload.length;
    if (this.#ownBytes > mostOwnBytes) this.#dropOwn();
    this.#release();
  }

  /** The frames after it are decoded with it. */
  config(config: TrackConfig): void {
    this.#own.push(config);
    this.#release();
  }

  /** Passes on all waiting frames before a discontinuity. */
  flush(): void {
    for (const item of this.#lead.splice(0)) {
      this.#passOwn(item.ms - sameMs);
      this.#pass(item);
    }
    this.#passOwn(Number.POSITIVE_INFINITY);
    this.#leadMs = Number.NEGATIVE_INFINITY;
    this.#ownMs = Number.NEGATIVE_INFINITY;
    this.#passedMs = Number.NEGATIVE_INFINITY;
    this.#needsKeyframe = true;
  }

  #release(): void {
    const isPaused = this.#leadMs - this.#ownMs > pausedMs;
    const reachedMs = isPaused ? this.#leadMs : this.#ownMs;
    let count = 0;
    for (const item of this.#lead) {
      if (item.ms > reachedMs + sameMs) break;
      count += 1;
      this.#passOwn(item.ms - sameMs);
      this.#pass(item);
      this.#passedMs = Math.max(this.#passedMs, item.ms);
    }
    if (count > 0) this.#lead.splice(0, count);
    // Audio that waits here belongs before later video.
    this.#passOwn(Math.min(this.#leadMs + sameMs, (this.#lead[0]?.ms ?? Number.POSITIVE_INFINITY) - sameMs));
  }

  /** Up to this time. */
  #passOwn(untilMs: number): void {
    let first = this.#own[0];
    while (first && (!('payload' in first) || first.dtsMs < untilMs)) {
      this.#own.shift();
      if ('payload' in first) {
        this.#ownBytes -= first.payload.length;
        this.#output.frame(first);
      } else this.#output.config(first);
      first = this.#own[0];
    }
  }

  #pass({ frame, act }: LeadItem): void {
    if (frame) this.#output.frame(frame);
    act?.();
  }

  #dropOwn(): void {
    // Configs stay: the next keyframe needs them.
    this.#own = this.#own.filter((item) => !('payload' in item));
    this.#ownBytes = 0;
    this.#needsKeyframe = true;
  }
}
