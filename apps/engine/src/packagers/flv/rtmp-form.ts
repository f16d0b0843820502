import { encodeMedia, flvKind, writeFlvMetadata } from '@weir/media';
import { flvBodyForm } from './flv-body-form.ts';

/** RTMP messages with whole headers and absolute times: the same bytes for every player. */
export const rtmpForm = flvBodyForm(encodeMedia, ({ metadata }) =>
  encodeMedia(flvKind.script, 0, writeFlvMetadata(metadata)),
);
