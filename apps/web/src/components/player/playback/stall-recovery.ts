const checkMs = 100;
/** Media ahead after which playback resumes: the first time, and at most, when it stalls again and again. */
const firstSeconds = 0.5;
const mostSeconds = 1.5;
/** Time in which stalls count as belonging together. */
const memoryMs = 15_000;
/** Chromium resumes by itself within this time if it is going to. */
const graceMs = 200;
/** Minimum time between two seeks. */
const pauseMs = 1000;

/**
 * Resumes a live video that stalled as soon as there is something to show. Chromium wants twice as much audio after each stall before it
 * continues, up to three seconds, which a live stream takes three seconds to deliver; a seek to the same place resets that.
 */
export class StallRecovery {
  readonly #video: HTMLVideoElement;
  readonly #timer: ReturnType<typeof setInterval>;
  #stalledAtMs: number | undefined;
  #soughtAtMs = Number.NEGATIVE_INFINITY;
  #stalls: number[] = [];

  constructor(video: HTMLVideoElement) {
    this.#video = video;
    this.#timer = setInterval(() => this.#check(performance.now()), checkMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(nowMs: number): void {
    const { paused, seeking, readyState, currentTime } = this.#video;
    // HAVE_FUTURE_DATA: it plays. Before the first frame there is no stall.
    if (paused || seeking || readyState >= 3 || currentTime === 0) {
      if (!seeking) this.#stalledAtMs = undefined;
      return;
    }
    if (this.#stalledAtMs === undefined) {
      this.#stalledAtMs = nowMs;
      this.#stalls = [...this.#stalls.filter((atMs) => nowMs - atMs < memoryMs), nowMs];
    }
    if (nowMs - this.#stalledAtMs < graceMs || nowMs - this.#soughtAtMs < pauseMs) return;
    const enoughSeconds = Math.min(mostSeconds, firstSeconds * this.#stalls.length);
    if (bufferedSecondsAt(this.#video.buffered, currentTime) < enoughSeconds) return;
    this.#soughtAtMs = nowMs;
    this.#video.currentTime = currentTime;
  }
}

/** Media without a gap from this position on. */
function bufferedSecondsAt(buffered: TimeRanges, seconds: number): number {
  for (let index = 0; index < buffered.length; index++)
    if (buffered.start(index) <= seconds && seconds < buffered.end(index)) return buffered.end(index) - seconds;
  return 0;
}
