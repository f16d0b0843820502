import type { WirePlace } from '@weir/streams';

/** Finished HLS segment, from the packager that cut it to its last consumer. */
export interface FinishedSegment extends WirePlace {
  /** The same after a restart: taking a segment twice can be noticed. */
  readonly id: string;
  /** Id of the publisher. */
  readonly clientId: string;
  /** Path on this machine. In the control plane: there until every consumer is done with it. */
  readonly file: string;
  readonly durationMs: number;
  readonly sequence: number;
  /** Does not continue the segment before it; undefined where the media server does not tell. */
  readonly isDiscontinuity: boolean | undefined;
  /** True if the video begins with a keyframe; undefined where the media server does not say. */
  readonly isIndependent?: boolean | undefined;
}
