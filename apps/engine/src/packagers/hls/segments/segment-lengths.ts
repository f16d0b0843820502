import { type HlsRules, overflowRatio } from '../hls-settings.ts';
import type { SegmenterRules } from './segmenter.ts';
import { expectedSegmentMs, type TargetDuration } from './target-duration.ts';

/** Facts about a stream at the end of its first segment. */
interface FirstSegment {
  readonly durationMs: number;
  /** Longest group of pictures; undefined if none is complete. */
  readonly longestGroupMs: number | undefined;
  readonly hasVideo: boolean;
  /** True if a keyframe ends the segment. */
  readonly isGroupOver: boolean;
}

/** Lengths of the segments of one playlist, and its target duration. */
export interface SegmentLengths {
  readonly target: TargetDuration;
  rules(): SegmenterRules;
  /** Sets the facts of the first segment. Ignored once the target duration is chosen. */
  chooseTarget(first: FirstSegment): void;
}

const maxSegmentBytes = 48 * 1024 * 1024;

/** Segment length from the owner's settings, which may change while the stream runs. */
export function ordinaryLengths(target: TargetDuration, settings: () => HlsRules): SegmentLengths {
  return {
    target,
    // A longer setting applies from the next playlist on, because the target duration of a playlist must not change.
    rules: () => {
      const { fragmentMs } = settings();
      const { seconds = Number.POSITIVE_INFINITY, limitMs } = target;
      return {
        fragmentMs: Math.min(fragmentMs, 1000 * seconds),
        limitMs: limitMs ?? fragmentMs * overflowRatio,
        isPromised: limitMs !== undefined,
        maxBytes: maxSegmentBytes,
      };
    },
    chooseTarget: ({ durationMs, longestGroupMs = 0 }) => {
      const { fragmentMs } = settings();
      const expectedMs = expectedSegmentMs(fragmentMs, longestGroupMs);
      target.choose(Math.max(durationMs, Math.min(expectedMs, fragmentMs * overflowRatio)));
    },
  };
}

export const lowLatencyFragmentMs = 2000;
/** Segments end at a keyframe; only a longer group of pictures is cut. */
const lowLatencyLongestMs = 10_000;
const maxLowLatencyBytes = 16 * 1024 * 1024;

/** Target of playlists with parts. `groupMs`: longest group of pictures so far; undefined before the first complete one. */
export function lowLatencyLengths(target: TargetDuration, groupMs: number | undefined): SegmentLengths {
  const choose = (longestMs: number) =>
    target.choose(Math.min(lowLatencyLongestMs, expectedSegmentMs(lowLatencyFragmentMs, longestMs)));
  if (groupMs !== undefined) choose(groupMs);
  return {
    target,
    rules: () => ({
      fragmentMs: lowLatencyFragmentMs,
      limitMs: target.limitMs ?? lowLatencyLongestMs,
      isPromised: target.limitMs !== undefined,
      maxBytes: maxLowLatencyBytes,
    }),
    // A group of pictures that has not ended with the first segment is a long one.
    chooseTarget: ({ hasVideo, isGroupOver, longestGroupMs = lowLatencyLongestMs }) =>
      choose(!hasVideo ? 0 : isGroupOver ? longestGroupMs : lowLatencyLongestMs),
  };
}
