import {
  type FlvKind,
  flvKind,
  flvTimestamp,
  type MediaFrame,
  type TrackConfig,
  writeFlvBodyHeader,
  writeFlvConfig,
  writeFlvMetadata,
} from '@weir/media';
import type { WireFormat } from '../../hub/fan-out/wire-format.ts';
import type { StreamView } from '../../hub/stream.ts';

/** Puts a protocol's own header in front of an FLV body. */
type WriteBody = (kind: FlvKind, timestampMs: number, body: Buffer | readonly Buffer[]) => Buffer;

/** FLV files and RTMP messages carry the same bodies in different frames. */
export function flvBodyFormat(write: WriteBody, start: WireFormat['start']): WireFormat {
  return {
    start,
    config(config: TrackConfig, atMs: number): Buffer {
      const body = writeFlvConfig(config);
      // MP3 has none.
      return body.length === 0 ? body : write(flvKind[config.kind], atMs, body);
    },
    metadata: (stream, atMs) => write(flvKind.script, atMs, flvMetadata(stream)),
    frame: (frame: MediaFrame) =>
      write(flvKind[frame.kind], flvTimestamp(frame), [writeFlvBodyHeader(frame), frame.payload]),
  };
}

/** Metadata with the current video size: an encoder may change it without new metadata. */
export function flvMetadata({ metadata, video }: StreamView): Buffer {
  const size = video && video.width > 0 ? { width: video.width, height: video.height } : {};
  return writeFlvMetadata({ ...metadata, ...size });
}
