import {
  encodeMedia,
  flvKind,
  flvTimestamp,
  type MediaFrame,
  type TrackConfig,
  writeFlvBodyHeader,
  writeFlvConfig,
  writeFlvMetadata,
} from '@weir/media';
import type { WireForm } from '../../hub/fan-out.ts';
import type { StreamView } from '../../hub/stream.ts';

/** RTMP messages with whole headers and absolute times: the same bytes for every player. */
export const rtmpForm: WireForm = {
  start: (stream: StreamView) => encodeMedia(flvKind.script, 0, writeFlvMetadata(stream.metadata)),
  config(config: TrackConfig, atMs: number): Buffer {
    const body = writeFlvConfig(config);
    // MP3 has none.
    return body.length === 0 ? body : encodeMedia(flvKind[config.kind], atMs, body);
  },
  frame: (frame: MediaFrame) =>
    encodeMedia(flvKind[frame.kind], flvTimestamp(frame), [writeFlvBodyHeader(frame), frame.payload]),
};
