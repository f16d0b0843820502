import type { MediaFrame, TrackConfig } from '@weir/media';
import type { StreamView } from '../stream.ts';

/** Serialisation of a stream for one protocol. All viewers get the same bytes. */
export interface WireFormat {
  /** Before anything else: file headers, metadata. */
  start(stream: StreamView): Buffer;
  /** `atMs` is the time of the frames around it. */
  config(config: TrackConfig, atMs: number): Buffer;
  /** Repeated metadata after a change of the video. */
  metadata?(stream: StreamView, atMs: number): Buffer;
  frame(frame: MediaFrame): Buffer;
}
