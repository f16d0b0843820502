import * as z from 'zod';

const Probe = z.object({
  streams: z
    .array(
      z.object({
        codec_type: z.string(),
        codec_name: z.string().default(''),
        width: z.int().default(0),
        height: z.int().default(0),
        sample_rate: z.string().default(''),
        channels: z.int().default(0),
      }),
    )
    .default([]),
});

/** What a run of segments holds. */
export interface Tracks {
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | undefined;
  readonly audio: { readonly codec: string; readonly sampleRate: string; readonly channels: number } | undefined;
}

/** Reads what ffprobe prints as JSON. A track that is named and of which nothing came is none: no filter could be made for it. */
export function readTracks(text: string): Tracks & { readonly hasEmpty: boolean } {
  const { streams } = Probe.parse(JSON.parse(text));
  const video = streams.find(({ codec_type }) => codec_type === 'video');
  const audio = streams.find(({ codec_type }) => codec_type === 'audio');
  const hasPictures = video !== undefined && video.width > 0 && video.height > 0;
  const hasSound = audio !== undefined && Number(audio.sample_rate) > 0 && audio.channels > 0;
  return {
    video: hasPictures ? { codec: video.codec_name, width: video.width, height: video.height } : undefined,
    audio: hasSound ? { codec: audio.codec_name, sampleRate: audio.sample_rate, channels: audio.channels } : undefined,
    hasEmpty: (video !== undefined && !hasPictures) || (audio !== undefined && !hasSound),
  };
}

/** Whether all can stand in one file as they are: a track of an mp4 has one codec, and players one size of picture. */
export function areAlike(tracks: readonly Tracks[]): boolean {
  return new Set(tracks.map((each) => JSON.stringify(each))).size <= 1;
}

/** What runs that differ are brought to: the first picture's size, and a sound if any has one. */
export function commonTracks(tracks: readonly Tracks[]): {
  size: { width: number; height: number } | undefined;
  hasAudio: boolean;
} {
  const video = tracks.find((each) => each.video)?.video;
  return {
    // Encoders want even numbers.
    size: video && { width: video.width & ~1, height: video.height & ~1 },
    hasAudio: tracks.some((each) => each.audio),
  };
}
