import type { MediaFrame } from '@weir/media';
import { RateMeter } from './rate-meter.ts';

/** What passes through a stream, counted per frame and read when somebody asks. */
export class StreamStats {
  readonly bytesIn = new RateMeter();
  readonly bytesOut = new RateMeter();
  readonly videoFrames = new RateMeter();
  frames = 0;
  /** Breaks in the publisher's clock, and returns of publishers. */
  seams = 0;
  /** Time between the last two keyframes. */
  keyframeIntervalMs = 0;
  #lastKeyframeMs: number | undefined;

  count({ kind, isKeyframe, dtsMs, payload }: MediaFrame): void {
    const now = Date.now();
    this.frames += 1;
    this.bytesIn.add(payload.length, now);
    if (kind !== 'video') return;
    this.videoFrames.add(1, now);
    if (!isKeyframe) return;
    if (this.#lastKeyframeMs !== undefined) this.keyframeIntervalMs = Math.max(0, dtsMs - this.#lastKeyframeMs);
    this.#lastKeyframeMs = dtsMs;
  }
}
