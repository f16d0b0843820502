import {
  type FlvKind,
  flvKind,
  flvTimestamp,
  type MediaFrame,
  type TrackConfig,
  writeFlvBodyHeader,
  writeFlvConfig,
} from '@weir/media';
import type { WireFormat } from '../../hub/fan-out/fan-out.ts';

/** Puts a protocol's own header in front of an FLV body. */
type WriteBody = (kind: FlvKind, timestampMs: number, body: Buffer | readonly Buffer[]) => Buffer;

/** FLV files and RTMP messages carry the same bodies; they differ in what stands around them. */
export function flvBodyFormat(write: WriteBody, start: WireFormat['start']): WireFormat {
  return {
    start,
    config(config: TrackConfig, atMs: number): Buffer {
      const body = writeFlvConfig(config);
      // MP3 has none.
      return body.length === 0 ? body : write(flvKind[config.kind], atMs, body);
    },
    frame: (frame: MediaFrame) =>
      write(flvKind[frame.kind], flvTimestamp(frame), [writeFlvBodyHeader(frame), frame.payload]),
  };
}
