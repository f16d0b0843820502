import type { MediaFrame, TrackConfig } from '@weir/media';
import type { StreamView } from '../stream.ts';

/** How one protocol writes what every viewer of a stream receives. The same bytes for all of them. */
export interface WireFormat {
  /** Before anything else: file headers, metadata. */
  start(stream: StreamView): Buffer;
  /** `atMs` is the time of the frames around it. */
  config(config: TrackConfig, atMs: number): Buffer;
  /** What the stream says of itself, again: its video has another form from here on. */
  metadata?(stream: StreamView, atMs: number): Buffer;
  frame(frame: MediaFrame): Buffer;
}
