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
  config: (config: TrackConfig, atMs: number) => encodeMedia(flvKind[config.kind], atMs, writeFlvConfig(config)),
  frame: (frame: MediaFrame) =>
    encodeMedia(flvKind[frame.kind], flvTimestamp(frame), [writeFlvBodyHeader(frame), frame.payload]),
};
