import { LatencyController } from './latency-controller.ts';
import { readBufferedSeconds } from './playback.ts';

const updateMs = 100;
/** Small gaps are skipped at once, larger ones after a time without progress. */
const smallGapSeconds = 0.5;
const stuckMs = 1000;
/** Browsers report buffered ranges slightly short and stop slightly before their end. */
const nearSeconds = 0.15;

/** Keeps a video element near the live edge of its source buffer and skips gaps. */
export class LiveEdgeController {
  readonly #video: HTMLVideoElement;
  readonly #controller = new LatencyController();
  readonly #listening = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #position = { seconds: -1, sinceMs: 0 };

  constructor(video: HTMLVideoElement) {
    this.#video = video;
    const { signal } = this.#listening;
    const onWaiting = () => {
      if (!video.seeking && !video.paused) this.#controller.onStall();
    };
    video.addEventListener('waiting', onWaiting, { signal });
    this.#timer = setInterval(() => this.#update(), updateMs);
  }

  get targetBufferSeconds(): number {
    return this.#controller.targetBufferSeconds;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listening.abort();
    this.#video.playbackRate = 1;
  }

  #update(): void {
    const video = this.#video;
    const nowMs = performance.now();
    const aheadSeconds = readBufferedSeconds(video);
    if (aheadSeconds === undefined || video.seeking || video.paused) return;
    if (this.#skipGap(nowMs)) return;
    // HAVE_FUTURE_DATA: at least one more frame is available.
    const isPlaying = video.readyState >= 3;
    const { rate, jumpSeconds } = this.#controller.update({ nowMs, aheadSeconds, isPlaying });
    if (video.playbackRate !== rate) video.playbackRate = rate;
    if (jumpSeconds > 0) video.currentTime += jumpSeconds;
  }

  /** True if playback was stuck at a gap and skipped it. */
  #skipGap(nowMs: number): boolean {
    const { buffered, currentTime, readyState } = this.#video;
    if (currentTime !== this.#position.seconds) this.#position = { seconds: currentTime, sinceMs: nowMs };
    if (readyState >= 3) return false;
    const target = findGapEnd(buffered, currentTime);
    if (target === undefined) return false;
    if (target - currentTime > smallGapSeconds && nowMs - this.#position.sinceMs < stuckMs) return false;
    this.#video.currentTime = target;
    return true;
  }
}

/** Start of the media after a gap at this position; undefined if there is no gap. */
export function findGapEnd(buffered: TimeRanges, seconds: number): number | undefined {
  for (let index = 0; index < buffered.length; index++) {
    const start = buffered.start(index);
    if (start <= seconds) continue;
    const isAtHole = index === 0 || buffered.end(index - 1) - seconds < nearSeconds;
    return isAtHole ? start + 0.01 : undefined;
  }
  return undefined;
}
