import type { MediaFrame } from '@weir/media';

/** Encoders insert extra keyframes where the scene changes: the longest of so many groups is what they are set to. */
const remembered = 8;

/** Lengths of the latest groups of pictures, from keyframe to keyframe. */
export class GroupLengths {
  readonly #lengthsMs: number[] = [];
  #keyframeMs: number | undefined;
  #longestEverMs: number | undefined;

  /** Undefined until a group is complete. */
  get longestMs(): number | undefined {
    return this.#lengthsMs.length === 0 ? undefined : Math.max(...this.#lengthsMs);
  }

  /** Longest of all groups since the beginning. */
  get longestEverMs(): number | undefined {
    return this.#longestEverMs;
  }

  push({ kind, isKeyframe, dtsMs }: MediaFrame): void {
    if (kind !== 'video' || !isKeyframe) return;
    if (this.#keyframeMs !== undefined && dtsMs > this.#keyframeMs) this.#add(dtsMs - this.#keyframeMs);
    this.#keyframeMs = dtsMs;
  }

  #add(lengthMs: number): void {
    this.#lengthsMs.push(lengthMs);
    if (this.#lengthsMs.length > remembered) this.#lengthsMs.shift();
    this.#longestEverMs = Math.max(this.#longestEverMs ?? 0, lengthMs);
  }

  /** The next frame does not continue the group; its lengths are most likely the same. */
  breakOff(): void {
    this.#keyframeMs = undefined;
  }
}
