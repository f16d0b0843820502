import type { Program } from '@weir/contract';
import type { ProgramFault } from '@weir/engine-api';

/** Sample of an input's video and audio. */
export interface Look {
  /** Luminance of its last keyframe, made very small; undefined without video. */
  readonly pixels?: Uint8Array | undefined;
  /** Differs when the keyframe is a new one. */
  readonly keyframeMs: number;
  /** Loudest sample of the last seconds in dB below full scale; undefined without audio. */
  readonly loudestDb?: number | undefined;
}

type Limits = Pick<Program, 'blackSeconds' | 'frozenSeconds' | 'quietSeconds'>;

/** Video black of limited range is 16. */
const blackest = 32;
const blackShare = 0.98;
/** Two keyframes of one frozen picture differ by what the encoder rounds. */
const frozenMean = 0.4;
const frozenMost = 6;
const quietDb = -60;

/** Tells how long an input has been black, frozen or silent. */
export class FaultMeter {
  #blackMs: number | undefined;
  #quietMs: number | undefined;
  #frozen: { readonly sinceMs: number; readonly pixels: Uint8Array; keyframeMs: number } | undefined;

  add({ pixels, keyframeMs, loudestDb }: Look, nowMs: number, limits: Limits): ProgramFault {
    this.#blackMs = pixels && isBlack(pixels) ? (this.#blackMs ?? nowMs) : undefined;
    this.#quietMs = loudestDb !== undefined && loudestDb < quietDb ? (this.#quietMs ?? nowMs) : undefined;
    this.#follow(pixels, keyframeMs, nowMs);
    const isOver = (sinceMs: number | undefined, seconds: number) =>
      seconds > 0 && sinceMs !== undefined && nowMs - sinceMs >= seconds * 1000;
    if (isOver(this.#blackMs, limits.blackSeconds)) return 'black';
    // Known with the keyframe after the first: one alone says nothing of time.
    if (isOver(this.#frozen?.sinceMs, limits.frozenSeconds) && this.#hasRepeated) return 'frozen';
    return isOver(this.#quietMs, limits.quietSeconds) ? 'quiet' : '';
  }

  #hasRepeated = false;

  #follow(pixels: Uint8Array | undefined, keyframeMs: number, nowMs: number): void {
    const before = this.#frozen;
    if (pixels && before?.keyframeMs === keyframeMs) return;
    if (pixels && before && isAlike(before.pixels, pixels)) {
      before.keyframeMs = keyframeMs;
      this.#hasRepeated = true;
      return;
    }
    this.#hasRepeated = false;
    this.#frozen = pixels && { sinceMs: nowMs, pixels, keyframeMs };
  }
}

function isBlack(pixels: Uint8Array): boolean {
  const dark = pixels.reduce((count, level) => count + (level <= blackest ? 1 : 0), 0);
  return pixels.length > 0 && dark >= pixels.length * blackShare;
}

function isAlike(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let sum = 0;
  for (const [at, level] of a.entries()) {
    const difference = Math.abs(level - (b[at] ?? 0));
    if (difference > frozenMost) return false;
    sum += difference;
  }
  return sum <= a.length * frozenMean;
}
