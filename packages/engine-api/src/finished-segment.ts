import type { SegmentFormatName, WirePlace } from '@weir/streams';

/** Init section of segments. Those with the same id have the same content. */
export interface InitFile {
  readonly id: string;
  /** Path on this machine. */
  readonly file: string;
}

/** Finished HLS segment, from the packager that cut it to its last consumer. */
export interface FinishedSegment extends WirePlace {
  /** The same after a restart, and the same in every format that the media server makes of one stretch of a stream. */
  readonly id: string;
  readonly format: SegmentFormatName;
  /** Undefined for a format without one. */
  readonly init?: InitFile | undefined;
  /** Id of the publisher. */
  readonly clientId: string;
  /** Path on this machine. In the control plane: there until every consumer is done with it. */
  readonly file: string;
  readonly durationMs: number;
  readonly sequence: number;
  /** Date of its first frame on the stream's clock; undefined where the media server does not tell. */
  readonly dateMs?: number | undefined;
  /** Does not continue the segment before it; undefined where the media server does not tell. */
  readonly isDiscontinuity: boolean | undefined;
  /** True if the video begins with a keyframe; undefined where the media server does not say. */
  readonly isIndependent?: boolean | undefined;
  /** Name of the lower quality that it shows; undefined for the stream itself. */
  readonly quality?: string | undefined;
  /** Name of the stream's own quality, of a segment of the stream itself; undefined where the media server does not tell. */
  readonly ownQuality?: string | undefined;
}
