import type { RtcCounters } from './webrtc-statistics.ts';

/** Shorter pauses between frames are normal. */
const lastsMs = 2000;

/** Detects from decoder statistics that the server sends keyframes only. */
export class KeyframesOnlyDetector {
  #others: number | undefined;
  #keyframes = 0;
  #sinceMs = 0;
  #hadOthers = false;

  /** A stream that always consists of keyframes was not reduced, and a still one has no new frames. */
  update({ atMs, frames, keyframes }: Pick<RtcCounters, 'atMs' | 'frames' | 'keyframes'>): boolean {
    const others = frames - keyframes;
    if (this.#others === undefined || others !== this.#others) {
      this.#hadOthers = this.#others !== undefined || others > 0;
      this.#others = others;
      this.#keyframes = keyframes;
      this.#sinceMs = atMs;
    }
    return this.#hadOthers && keyframes > this.#keyframes && atMs - this.#sinceMs >= lastsMs;
  }
}
