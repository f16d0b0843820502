import {
  flvHeader,
  flvKind,
  flvTag,
  flvTimestamp,
  type MediaFrame,
  type TrackConfig,
  writeFlvBodyHeader,
  writeFlvConfig,
  writeFlvMetadata,
} from '@weir/media';
import type { WireForm } from '../../hub/fan-out.ts';
import type { StreamView } from '../../hub/stream.ts';

/** An FLV file that never ends. */
export const flvForm: WireForm = {
  start(stream: StreamView): Buffer {
    const { audio, video, metadata } = stream;
    // A player takes the flags at their word: one too few and a track is lost, one too many and it waits for ever. What
    // the publisher announced counts as well, because its first frames may still be on their way.
    const hasAudio = audio !== undefined || metadata.audiocodecid !== undefined;
    const hasVideo = video !== undefined || metadata.videocodecid !== undefined;
    return Buffer.concat([flvHeader({ hasAudio, hasVideo }), flvTag(flvKind.script, 0, writeFlvMetadata(metadata))]);
  },
  config(config: TrackConfig, atMs: number): Buffer {
    const body = writeFlvConfig(config);
    // MP3 has none.
    return body.length === 0 ? body : flvTag(flvKind[config.kind], atMs, body);
  },
  frame: (frame: MediaFrame) =>
    flvTag(flvKind[frame.kind], flvTimestamp(frame), [writeFlvBodyHeader(frame), frame.payload]),
};
