import type { MediaFrame } from '@weir/media';

/** Pictures that stay away this long no longer set the pace. */
const videoLostMs = 1000;

/** Decides where parts of a low-latency segment end, so that none is longer than the target and few are much shorter. */
export class PartCutter {
  readonly #targetMs: number;
  #startMs = 0;
  #videoMs: number | undefined;
  #audioMs: number | undefined;
  #videoStepMs = 0;
  #audioStepMs = 0;

  constructor(targetMs: number) {
    this.#targetMs = targetMs;
  }

  /** A part begins with this frame. */
  begin(frame: MediaFrame): void {
    this.#startMs = frame.dtsMs;
  }

  /** Drops the learned frame distances. */
  restart(): void {
    this.#videoMs = undefined;
    this.#audioMs = undefined;
    this.#videoStepMs = 0;
    this.#audioStepMs = 0;
  }

  /** True if the part ends before this frame: with it and a similar one it would be too long. */
  isDue(frame: MediaFrame): boolean {
    const isLeader = this.#leads(frame);
    const stepMs = this.#step(frame);
    return isLeader && frame.dtsMs + stepMs - this.#startMs > this.#targetMs;
  }

  /** Pictures set the pace, since parts should end with one; sound does while they are rare or missing. */
  #leads({ kind, dtsMs }: MediaFrame): boolean {
    const isVideoRare = this.#videoStepMs > this.#targetMs;
    if (kind === 'video') return !isVideoRare || this.#audioMs === undefined;
    return this.#videoMs === undefined || isVideoRare || dtsMs - this.#videoMs > videoLostMs;
  }

  #step({ kind, dtsMs }: MediaFrame): number {
    if (kind === 'video') {
      if (this.#videoMs !== undefined) this.#videoStepMs = Math.max(0, dtsMs - this.#videoMs);
      this.#videoMs = dtsMs;
      return this.#videoStepMs;
    }
    if (this.#audioMs !== undefined) this.#audioStepMs = Math.max(0, dtsMs - this.#audioMs);
    this.#audioMs = dtsMs;
    return this.#audioStepMs;
  }
}
