import type { MediaFrame } from '@weir/media';
import { fullMemoryCost, isLarge, memoryCost } from './own-memory.ts';

const mostBytes = 16 * 1024 * 1024;
const longestMs = 30_000;
/** Cached audio of a stream without video, enough for players to start at once. */
const audioOnlyMs = 1000;

/** Frames since the last keyframe: what a viewer who joins now needs to see something at once. */
export class GopCache {
  #frames: MediaFrame[] = [];
  #bytes = 0;
  #cost = 0;
  #lastLarge: MediaFrame | undefined;
  #hasVideo = false;
  /** The group became too large to keep; nothing is kept until the next one. */
  #isOverflown = false;

  get frames(): readonly MediaFrame[] {
    return this.#frames;
  }

  /** Payload bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  push(frame: MediaFrame): void {
    if (frame.kind === 'video') {
      if (frame.isKeyframe) this.clear();
      // Frames without their keyframe cannot be decoded.
      else if (!this.#hasVideo) return;
      this.#hasVideo = true;
    }
    if (this.#isOverflown) return;
    this.#frames.push(frame);
    this.#bytes += frame.payload.length;
    this.#cost += fullMemoryCost(frame, this.#lastLarge);
    if (isLarge(frame)) this.#lastLarge = frame;
    if (!this.#hasVideo) this.#trimAudio(frame.dtsMs);
    const first = this.#frames[0];
    if (this.#cost > mostBytes || (first && frame.dtsMs - first.dtsMs > longestMs)) {
      this.#drop();
      // Sound alone can begin anywhere.
      this.#isOverflown = this.#hasVideo;
    }
  }

  clear(): void {
    this.#drop();
    this.#isOverflown = false;
    this.#hasVideo = false;
  }

  #drop(): void {
    this.#frames = [];
    this.#bytes = 0;
    this.#cost = 0;
    this.#lastLarge = undefined;
  }

  #trimAudio(nowMs: number): void {
    let first = this.#frames[0];
    while (first && nowMs - first.dtsMs > audioOnlyMs) {
      this.#bytes -= first.payload.length;
      this.#cost -= memoryCost(first);
      this.#frames.shift();
      first = this.#frames[0];
    }
  }
}
