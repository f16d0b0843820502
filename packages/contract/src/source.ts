import * as z from 'zod';

/** Where media of the owner's comes from: sent by the browser, a file on the server, downloaded from a video page, or a live stream. */
export const sourceTypes = ['upload', 'file', 'ytdl', 'stream'] as const;
export type SourceType = (typeof sourceTypes)[number];

/** Of files, by their end. The console offers the first six, as it always did; the server takes all. */
export const sourceExtensions = ['.mp4', '.flv', '.ts', '.m4a', '.mp3', '.aac', '.mkv', '.mov'] as const;
/** Codecs that the outlets carry, as ffprobe names them. */
export const sourceCodecs = ['h264', 'hevc', 'aac', 'mp3'] as const;

export const SourceFormat = z.object({
  start_time: z.string().default(''),
  duration: z.string().default(''),
  bit_rate: z.string().default(''),
  nb_streams: z.int().default(0),
  probe_score: z.int().default(0),
  has_video: z.boolean().default(false),
  has_audio: z.boolean().default(false),
});

const Track = {
  codec_type: z.string(),
  codec_name: z.string(),
  profile: z.string(),
  bit_rate: z.string(),
  start_time: z.string(),
  duration: z.string(),
};
export const SourceVideo = z.object({ ...Track, pix_fmt: z.string(), width: z.int(), height: z.int(), level: z.int() });
export const SourceAudio = z.object({
  ...Track,
  sample_fmt: z.string(),
  sample_rate: z.string(),
  channel_layout: z.string(),
  channels: z.int(),
});

/** What ffprobe found. Numbers that it writes as text stay text. */
export const SourceProbe = z.object({
  format: SourceFormat,
  video: SourceVideo.nullable(),
  audio: SourceAudio.nullable(),
});
export type SourceProbe = z.infer<typeof SourceProbe>;

/** A source that was prepared: known by its id. Everything else of it that a client sends back is only shown, never believed. */
export const SourceRef = z.object({
  uuid: z.string().default(''),
  name: z.string().default(''),
  path: z.string().default(''),
  size: z.number().default(0),
  target: z.string().default(''),
  type: z.string().default(''),
});
export type SourceRef = z.infer<typeof SourceRef>;

/** A source that was probed and may be used. `target` of a stream keeps its address as it was typed. */
export const Source = z.object({
  uuid: z.string(),
  name: z.string(),
  path: z.string().default(''),
  size: z.number().default(0),
  target: z.string(),
  type: z.enum(sourceTypes),
  ...SourceProbe.shape,
});
export type Source = z.infer<typeof Source>;
