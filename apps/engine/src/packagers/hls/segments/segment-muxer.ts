import type { MediaFrame, TrackConfig } from '@weir/media';

/** Turns the frames of the open segment into bytes of one format. */
export interface SegmentMuxer {
  /** Memory of what was appended and not taken. */
  readonly bytes: number;
  /** True while a further track may join the open segment: audio from SRT or a conversion starts after its video. */
  readonly mayJoin: boolean;
  setConfig(config: TrackConfig): void;
  removeTrack(kind: TrackConfig['kind']): void;
  /** True if this format and the known tracks have a place for the frame. */
  takes(frame: MediaFrame): boolean;
  begin(): void;
  /** Throws MalformedMedia. */
  append(frame: MediaFrame): void;
  /** Init section of the known tracks; undefined for a format without one. Throws MalformedMedia. */
  init(): Buffer | undefined;
  /** Bytes since `begin` or the last call, behind `leadBytes` of room. `next` is the frame that follows. Throws MalformedMedia. */
  take(next: MediaFrame | undefined): Buffer;
  /** Drops the open segment. */
  drop(): void;
  /** The next frame does not continue the last one. */
  restart(): void;
}

/** Time in which a further track may join the first segment. */
const joinWithinMs = 3000;

/** True of a frame too late after the first one for another track to join. */
export function isTooLateToJoin(first: MediaFrame | undefined, frame: MediaFrame): boolean {
  return Math.abs(frame.dtsMs - (first ?? frame).dtsMs) > joinWithinMs;
}
