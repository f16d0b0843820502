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

/** Tracks of a run of segments. */
export interface Tracks {
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | undefined;
  readonly audio: { readonly codec: string; readonly sampleRate: string; readonly channels: number } | undefined;
}

/** Reads the JSON that ffprobe prints. Leaves out declared tracks without any packet, because ffmpeg cannot filter them. */
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

/** True if all runs fit into one file unchanged: an mp4 track has one codec, and players expect one video size. */
export function areAlike(tracks: readonly Tracks[]): boolean {
  return new Set(tracks.map((each) => JSON.stringify(each))).size <= 1;
}

/** Common format of different runs: the first video size, and audio if any run has it. */
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
