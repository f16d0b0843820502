import type { RtcCounters } from './webrtc-statistics.ts';

/** A shorter pause between video frames is none to speak of. */
const lastsMs = 2000;

/** Tells from what a browser decodes whether the server has reduced video to keyframes. */
export class KeyframesOnlyDetector {
  #others: number | undefined;
  #keyframes = 0;
  #sinceMs = 0;
  #hadOthers = false;

  /** A stream of nothing but keyframes is not one that was reduced, and one that stands still has none. */
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
