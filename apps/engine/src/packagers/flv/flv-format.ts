import { announcedTracks, flvHeader, flvKind, flvTag } from '@weir/media';
import type { StreamView } from '../../hub/stream.ts';
import { flvBodyFormat, flvMetadata } from './flv-body-format.ts';

/** An FLV file that never ends. */
export const flvFormat = flvBodyFormat(flvTag, (stream: StreamView) => {
  const { audio, video, metadata } = stream;
  // A player takes the flags at their word: one too few and a track is lost, one too many and it waits for ever. What
  // the publisher announced counts as well, because its first frames may still be on their way.
  const announced = announcedTracks(metadata);
  const hasAudio = audio !== undefined || announced.audio;
  const hasVideo = video !== undefined || announced.video;
  return Buffer.concat([flvHeader({ hasAudio, hasVideo }), flvTag(flvKind.script, 0, flvMetadata(stream))]);
});
