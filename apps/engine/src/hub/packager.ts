import type { MediaFrame, TrackConfig } from '@weir/media';

/** Turns the frames of one stream into one wire form. Called in the order things happen, never after `close`. */
export interface Packager {
  /** A track begins or changes how it must be decoded. The frames after it need it. */
  onConfig(config: TrackConfig): void;
  /** A track that was told of has no frames from here on. It may begin again, with a config. */
  onTrackMissing?(kind: TrackConfig['kind']): void;
  onFrame(frame: MediaFrame): void;
  /** Called when the next frame does not continue the last: another publisher, a jump in time, a new codec. */
  onDiscontinuity(): void;
  /** The publisher left. It or another may come; what is still being worked on is all there is for now. */
  onLeave?(): void;
  /** The stream is over: no publisher, and the time to return has passed. */
  close(): void;
}
