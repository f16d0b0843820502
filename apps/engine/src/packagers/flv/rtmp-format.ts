import { encodeMedia, flvKind } from '@weir/media';
import { flvBodyFormat, flvMetadata } from './flv-body-format.ts';

/** RTMP messages with whole headers and absolute times: the same bytes for every player. */
export const rtmpFormat = flvBodyFormat(encodeMedia, (stream) => encodeMedia(flvKind.script, 0, flvMetadata(stream)));
