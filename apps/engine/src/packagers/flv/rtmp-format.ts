import { encodeMedia, flvKind, writeFlvMetadata } from '@weir/media';
import { flvBodyFormat } from './flv-body-format.ts';

/** RTMP messages with whole headers and absolute times: the same bytes for every player. */
export const rtmpFormat = flvBodyFormat(encodeMedia, ({ metadata }) =>
  encodeMedia(flvKind.script, 0, writeFlvMetadata(metadata)),
);
