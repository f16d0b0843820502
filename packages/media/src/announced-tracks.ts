import type { AudioCodec, MediaFrame, VideoCodec } from './frame.ts';

/** Codecs by FLV's numbers; H.265 and Opus use numbers that encoders and players agreed on later. */
const videoIds: Record<VideoCodec, number> = { h264: 7, h265: 12, av1: 13, vp9: 14 };
const audioIds: Record<AudioCodec, number> = { mp3: 2, aac: 10, opus: 13 };

/** Metadata that says which tracks a publisher will send, before the first frame of them is there. */
export function metadataOfTracks(video: VideoCodec | undefined, audio: AudioCodec | undefined): Record<string, number> {
  return {
    ...(video && { videocodecid: videoIds[video] }),
    ...(audio && { audiocodecid: audioIds[audio] }),
  };
}

/** Tracks that a publisher's metadata announces. A publisher that announces none may still send some. */
export function announcedTracks(metadata: Readonly<Record<string, unknown>>): { video: boolean; audio: boolean } {
  return { video: metadata.videocodecid !== undefined, audio: metadata.audiocodecid !== undefined };
}

const codecFields = { video: 'videocodecid', audio: 'audiocodecid' } as const;

/** Removes these tracks from the metadata. */
export function withoutTracks(
  metadata: Readonly<Record<string, unknown>>,
  kinds: readonly MediaFrame['kind'][],
): Readonly<Record<string, unknown>> {
  const fields: readonly string[] = kinds.map((kind) => codecFields[kind]);
  if (!fields.some((field) => metadata[field] !== undefined)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([field]) => !fields.includes(field)));
}
