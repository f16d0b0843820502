import {
  encodeMedia,
  type MediaFrame,
  type TrackConfig,
  writeFlvBody,
  writeFlvConfig,
  writeFlvMetadata,
} from '@weir/media';
import type { WireForm } from '../../hub/fan-out.ts';
import type { StreamView } from '../../hub/stream.ts';

const messageKind = { audio: 8, video: 9 } as const;
const dataKind = 18;

/** RTMP messages with whole headers and absolute times: the same bytes for every player. */
export const rtmpForm: WireForm = {
  start: (stream: StreamView) => encodeMedia(dataKind, 0, writeFlvMetadata(stream.metadata)),
  config: (config: TrackConfig, atMs: number) => encodeMedia(messageKind[config.kind], atMs, writeFlvConfig(config)),
  frame: (frame: MediaFrame) => encodeMedia(messageKind[frame.kind], frame.dtsMs, writeFlvBody(frame)),
};
