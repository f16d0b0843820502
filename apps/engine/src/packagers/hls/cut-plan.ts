import type { MediaFrame } from '@weir/media';

/** Start of a segment, the same in all qualities. */
export interface PlannedSegment {
  readonly id: string;
  readonly sequence: number;
  readonly startMs: number;
  readonly dateMs: number;
  readonly isDiscontinuity: boolean;
  /** Discontinuities of the playlist before this segment. */
  readonly discontinuities: number;
  /** Begins with a keyframe. */
  readonly isIndependent: boolean;
}

/** Frame of the lead that follows a segment or part; undefined at a break. */
export type NextFrame = MediaFrame | undefined;

/**
 * Steps of a variant with its segments. Lower qualities repeat them at the same places of the stream, so numbers, dates, durations and
 * parts are equal in all of them.
 */
export type CutStep =
  | { readonly type: 'begin'; readonly segment: PlannedSegment }
  /** The last part of a segment is announced at its end. */
  | { readonly type: 'part'; readonly endMs: number; readonly isLast: boolean; readonly next: NextFrame }
  /** The number is given out now, and the date is final. */
  | {
      readonly type: 'end';
      readonly sequence: number;
      readonly durationMs: number;
      readonly dateMs: number;
      readonly next: NextFrame;
    }
  /** Too little for a segment, or not to be packaged. */
  | { readonly type: 'drop' };
