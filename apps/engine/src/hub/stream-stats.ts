import { isSilentAudio, type MediaFrame } from '@weir/media';
import { RateMeter } from './rate-meter.ts';

/** Gap in timestamps beyond real time that counts as a jump. */
const longestStepMs = 2000;

/** Counters of a stream, updated per frame and read on demand. Totals only grow. */
export class StreamStats {
  readonly bytesIn = new RateMeter();
  readonly bytesOut = new RateMeter();
  readonly videoFrames = new RateMeter();
  frames = 0;
  audioBytes = 0;
  audioFrames = 0;
  silentFrames = 0;
  /** Breaks in the publisher's clock, and returns of publishers. */
  seams = 0;
  /** Steps of a track, backwards or too far, that are no seams. */
  jumps = 0;
  /** Time between the last two keyframes. */
  keyframeIntervalMs = 0;
  /** Sum of each audio frame's lead over the newest video frame, and their number. */
  aheadMs = 0;
  aheadCount = 0;
  /** The newest time of any track; -1 before the first frame. */
  newestMs = -1;
  #lastKeyframeMs = -1;
  #lastVideoMs = -1;
  #lastAudioMs = -1;
  #videoCameAt = 0;
  #audioCameAt = 0;

  /** Since the last keyframe, on the clock of the stream; 0 before the first. */
  get sinceKeyframeMs(): number {
    return this.#lastKeyframeMs < 0 ? 0 : Math.max(0, this.newestMs - this.#lastKeyframeMs);
  }

  count(frame: MediaFrame): void {
    const { kind, dtsMs, payload } = frame;
    const now = Date.now();
    this.frames += 1;
    this.bytesIn.add(payload.length, now);
    if (dtsMs > this.newestMs) this.newestMs = dtsMs;
    if (kind === 'video') this.#countVideo(frame, now);
    else this.#countAudio(frame, now);
  }

  #countVideo({ isKeyframe, dtsMs }: MediaFrame, now: number): void {
    this.videoFrames.add(1, now);
    if (this.#lastVideoMs >= 0) this.#step(dtsMs - this.#lastVideoMs, now - this.#videoCameAt);
    this.#videoCameAt = now;
    this.#lastVideoMs = dtsMs;
    if (!isKeyframe) return;
    if (this.#lastKeyframeMs >= 0) this.keyframeIntervalMs = Math.max(0, dtsMs - this.#lastKeyframeMs);
    this.#lastKeyframeMs = dtsMs;
  }

  #countAudio({ codec, dtsMs, payload }: MediaFrame, now: number): void {
    this.audioBytes += payload.length;
    this.audioFrames += 1;
    if (isSilentAudio(codec, payload)) this.silentFrames += 1;
    if (this.#lastAudioMs >= 0) this.#step(dtsMs - this.#lastAudioMs, now - this.#audioCameAt);
    this.#audioCameAt = now;
    this.#lastAudioMs = dtsMs;
    if (this.#lastVideoMs < 0) return;
    this.aheadMs += dtsMs - this.#lastVideoMs;
    this.aheadCount += 1;
  }

  /** After a blackout of the line timestamps are as far on as the clock, and nothing is wrong with them. */
  #step(ms: number, tookMs: number): void {
    if (ms < 0 || ms - Math.max(0, tookMs) > longestStepMs) this.jumps += 1;
  }
}
