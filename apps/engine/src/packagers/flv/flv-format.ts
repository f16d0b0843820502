import { announcedTracks, flvHeader, flvKind, flvTag } from '@weir/media';
import type { StreamView } from '../../hub/stream.ts';
import { flvBodyFormat, flvMetadata } from './flv-body-format.ts';

/** An FLV file that never ends. */
export const flvFormat = flvBodyFormat(flvTag, (stream: StreamView) => {
  const { audio, video, metadata } = stream;
  // Players trust the flags: a missing one loses a track, an extra one makes them wait for ever. Announced tracks count as well, because
  // their first frames may come later.
  const announced = announcedTracks(metadata);
  const hasAudio = audio !== undefined || announced.audio;
  const hasVideo = video !== undefined || announced.video;
  return Buffer.concat([flvHeader({ hasAudio, hasVideo }), flvTag(flvKind.script, 0, flvMetadata(stream))]);
});
