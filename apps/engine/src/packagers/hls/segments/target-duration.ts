/** A duration is rounded to the nearest second before it is compared with the target (rfc8216bis, 4.4.3.1). */
const roundingMs = 499;

/** EXT-X-TARGETDURATION of one playlist. It must not change while the playlist is updated, so it is chosen once and segments keep to it. */
export class TargetDuration {
  #seconds: number | undefined;

  /** Undefined until it is chosen, which is before the first playlist is shown. */
  get seconds(): number | undefined {
    return this.#seconds;
  }

  /** The longest segment it allows; undefined until it is chosen. */
  get limitMs(): number | undefined {
    return this.#seconds === undefined ? undefined : 1000 * this.#seconds + roundingMs;
  }

  /** The first choice is final. */
  choose(longestMs: number): void {
    this.#seconds ??= Math.max(1, Math.round(Math.round(longestMs) / 1000));
  }
}

/** Length of segments that end at the first keyframe after the fragment. */
export function expectedSegmentMs(fragmentMs: number, groupMs: number): number {
  return groupMs <= 0
    ? fragmentMs
    : Math.max(fragmentMs, Math.ceil((fragmentMs - keyframeToleranceMs) / groupMs) * groupMs);
}

/** Encoders round: a keyframe this little before its time still ends the segment, not the next one a GOP later. */
export const keyframeToleranceMs = 50;
