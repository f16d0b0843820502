import type { WirePlace } from '../stream-place.ts';

/** One finished HLS segment, from the packager that cut it to the last consumer that takes it. */
export interface FinishedSegment extends WirePlace {
  /** The same after a restart: taking a segment twice can be noticed. */
  readonly id: string;
  /** Of the publisher whose media it is. */
  readonly clientId: string;
  /** Path on this machine. In the control plane: there until every consumer is done with it. */
  readonly file: string;
  readonly durationMs: number;
  readonly sequence: number;
  /** Does not continue the segment before it; undefined where the media server does not tell. */
  readonly isDiscontinuity: boolean | undefined;
  /** Its pictures begin with a keyframe; undefined where the media server does not tell. */
  readonly isIndependent?: boolean | undefined;
}
