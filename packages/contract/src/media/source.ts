import * as z from 'zod';
import { post } from '../endpoint.ts';

/** Origin of media: browser upload, file on the server, download from a video page, or live stream. */
export const sourceTypes = ['upload', 'file', 'ytdl', 'stream'] as const;
export type SourceType = (typeof sourceTypes)[number];

/** File types offered to users. */
export const offeredExtensions = ['.mp4', '.flv', '.ts', '.m4a', '.mp3', '.aac'] as const;
/** File types accepted; API clients send the last two as well. */
export const sourceExtensions = [...offeredExtensions, '.mkv', '.mov'] as const;
/** Pictures of slates, which are uploaded like films. */
export const pictureExtensions = ['.png', '.jpg', '.jpeg'] as const;
/** Supported codecs, in ffprobe's names. */
export const sourceCodecs = ['h264', 'hevc', 'aac', 'mp3'] as const;

/** Reasons to reject a source, found by ffprobe or in its path, each with a text and a remedy in the console. */
const sourceFailures = [
  ...(['login-refused', 'connection-refused', 'connection-lost', 'name-unknown', 'no-route', 'timed-out'] as const),
  ...(['not-found', 'key-refused', 'tls-failed', 'address-invalid', 'protocol-forbidden', 'input-broken'] as const),
  ...(['program-missing', 'nothing', 'bitrate', 'video-codec', 'audio-codec', 'not-alike', 'stream-alone'] as const),
  ...(['place', 'extension', 'file-missing', 'file-kind', 'gone', 'unknown'] as const),
] as const;
export type SourceFailure = (typeof sourceFailures)[number];

export function isSourceFailure(kind: string | undefined): kind is SourceFailure {
  return sourceFailures.some((known) => known === kind);
}

const SourceFormat = z.object({
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
const SourceVideo = z.object({
  ...Track,
  pix_fmt: z.string(),
  width: z.int(),
  height: z.int(),
  level: z.int(),
  /** Frames per second; 0 if unknown. */
  fps: z.number().default(0),
});
const SourceAudio = z.object({
  ...Track,
  sample_fmt: z.string(),
  sample_rate: z.string(),
  channel_layout: z.string(),
  channels: z.int(),
});

/** Result of ffprobe. Its numeric strings stay strings. */
export const SourceProbe = z.object({
  format: SourceFormat,
  video: SourceVideo.nullable(),
  audio: SourceAudio.nullable(),
});
export type SourceProbe = z.infer<typeof SourceProbe>;

/** Prepared source, identified by id. Other fields sent back by a client are displayed but never trusted. */
export const SourceRef = z.object({
  uuid: z.string().default(''),
  name: z.string().default(''),
  path: z.string().default(''),
  size: z.number().default(0),
  target: z.string().default(''),
  type: z.string().default(''),
});
export type SourceRef = z.infer<typeof SourceRef>;

/** Probed source. `target` of a stream keeps the address as typed. */
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

/** Limits that server and console share. */
export const sourceLimits = {
  nameCharacters: 255,
  pathCharacters: 4096,
  urlCharacters: 4096,
  /** Files per slot, played in turn. */
  files: 50,
  /** Stored sources, finished or not. */
  kept: 2000,
  unfinishedUploads: 50,
  downloadsAtOnce: 2,
  /** Chunk of a resumable upload. */
  chunkBytes: 16 * 1024 * 1024,
  probeMs: 15_000,
  /** Retention of unused sources and broken uploads. */
  unusedMs: 2 * 3600 * 1000,
} as const;

/** Poll interval of a download. */
export const downloadPollMs = 1000;

const Uuid = z.uuid();

export const PreparedFile = z.object({
  name: z.string(),
  uuid: z.string(),
  target: z.string(),
  size: z.number(),
});
export type PreparedFile = z.infer<typeof PreparedFile>;

/** Resumable upload: `offset` of `size` bytes have arrived. */
export const UploadState = z.object({
  uuid: z.string(),
  name: z.string(),
  size: z.number(),
  offset: z.number(),
  updated: z.string(),
});
export type UploadState = z.infer<typeof UploadState>;

const downloadStates = ['running', 'done', 'failed', 'cancelled'] as const;

/** Download from a video page. Unknown numbers are null. */
export const DownloadState = z.object({
  uuid: z.string(),
  /** Host of the page; the full URL may contain secrets. */
  host: z.string(),
  name: z.string(),
  state: z.enum(downloadStates),
  percent: z.number().nullable(),
  bytes: z.number().nullable(),
  totalBytes: z.number().nullable(),
  bytesPerSecond: z.number().nullable(),
  started: z.string(),
  /** Error message. */
  error: z.string(),
  /** Input for `source` once finished. */
  file: PreparedFile.nullable(),
});
export type DownloadState = z.infer<typeof DownloadState>;

/** Accepted source in the media library. */
export const LibraryItem = z.object({
  source: Source,
  created: z.string(),
  /** Slots that play it, such as `vlive/wx`; while there are any, it cannot be deleted. */
  usedBy: z.array(z.string()),
});
export type LibraryItem = z.infer<typeof LibraryItem>;

/** Reasons for a missing picture: audio only, unreadable, or no ffmpeg. */
const noPictureReasons = ['no-video', 'unreadable', 'no-ffmpeg'] as const;

const Url = z.string().max(sourceLimits.urlCharacters);
const preparedStream = {
  body: z.object({ url: Url }),
  data: z.object({ name: z.string(), uuid: z.string(), target: z.string() }),
};

/** Calls that prepare sources; their results are passed to `source` of a feature. */
export const sourceApi = {
  upload: post('/terraform/v1/ffmpeg/vlive/upload/:filename', {
    summary: 'Upload a file as multipart/form-data in one request',
    data: z.object({ uuid: z.string(), target: z.string() }),
  }),
  server: post('/terraform/v1/ffmpeg/vlive/server', {
    summary: 'Use a file on the server, under /data or upload/',
    body: z.object({ file: z.string().max(sourceLimits.pathCharacters) }),
    data: PreparedFile,
  }),
  streamUrl: post('/terraform/v1/ffmpeg/vlive/stream-url', {
    summary: 'Use a live stream by its URL',
    ...preparedStream,
  }),
  streamUrlAlias: post('/terraform/v1/ffmpeg/vlive/streamUrl', {
    summary: 'Deprecated alias of ffmpeg/vlive/stream-url',
    ...preparedStream,
  }),
  ytdl: post('/terraform/v1/ffmpeg/vlive/ytdl', {
    summary: 'Download a web video with yt-dlp and wait for the result',
    body: z.object({ url: Url }),
    data: PreparedFile,
  }),
  beginUpload: post('/terraform/v1/ffmpeg/vlive/uploads/begin', {
    summary: 'Start a resumable upload',
    body: z.object({
      name: z.string().min(1).max(sourceLimits.nameCharacters),
      size: z.int().min(1),
    }),
    data: UploadState,
  }),
  uploads: post('/terraform/v1/ffmpeg/vlive/uploads/query', {
    summary: 'List unfinished uploads with their progress',
    data: z.array(UploadState),
  }),
  append: post('/terraform/v1/ffmpeg/vlive/uploads/append/:uuid/:offset', {
    summary: 'Send the next bytes of an upload as the body; `offset` must match the bytes received',
    data: UploadState,
  }),
  finishUpload: post('/terraform/v1/ffmpeg/vlive/uploads/finish', {
    summary: 'Finish an upload whose bytes were all received',
    body: z.object({ uuid: Uuid }),
    data: PreparedFile,
  }),
  cancelUpload: post('/terraform/v1/ffmpeg/vlive/uploads/cancel', {
    summary: 'Cancel an upload and remove its data',
    body: z.object({ uuid: Uuid }),
    data: z.null(),
  }),
  beginDownload: post('/terraform/v1/ffmpeg/vlive/downloads/begin', {
    summary: 'Download a web video in the background',
    body: z.object({ url: Url }),
    data: DownloadState,
  }),
  downloads: post('/terraform/v1/ffmpeg/vlive/downloads/query', {
    summary: 'List downloads since the server started',
    data: z.array(DownloadState),
  }),
  cancelDownload: post('/terraform/v1/ffmpeg/vlive/downloads/cancel', {
    summary: 'Cancel a download and remove its data, or dismiss a finished one',
    body: z.object({ uuid: Uuid }),
    data: z.null(),
  }),
  library: post('/terraform/v1/ffmpeg/vlive/library/query', {
    summary: 'List sources that can be used again: films and music, or pictures for slates',
    body: z.object({ kind: z.enum(['media', 'picture']).default('media') }),
    data: z.array(LibraryItem),
  }),
  /** Answers with `image/jpeg`; an envelope only without a picture and for failures. */
  picture: post('/terraform/v1/ffmpeg/vlive/library/picture', {
    summary: 'Get a picture of a source as image/jpeg; without one, `data` has the reason',
    body: z.object({ uuid: Uuid }),
    data: z.object({ reason: z.enum(noPictureReasons) }),
  }),
  removeFromLibrary: post('/terraform/v1/ffmpeg/vlive/library/remove', {
    summary: 'Delete a source and its file from the library, unless a destination uses it',
    body: z.object({ uuid: Uuid }),
    data: z.null(),
  }),
} as const;

export type StreamUrlProblem = 'missing' | 'scheme' | 'suffix' | 'invalid';

/** Whitespace and control characters are invalid in URLs, and line ends have a meaning elsewhere. */
const blanks = /[\s\p{Cc}]/u;

export function streamUrlProblem(text: string): StreamUrlProblem | undefined {
  const url = text.trim();
  if (url === '') return 'missing';
  if (!/^(?:rtmps?|srt|rtsps?|https?):\/\//i.test(url)) return 'scheme';
  if (blanks.test(url) || url.length > sourceLimits.urlCharacters) return 'invalid';
  if (/^http/i.test(url) && !/\.(?:flv|m3u8)|\.ts(?:\?|#|$)/i.test(url)) return 'suffix';
  return undefined;
}

export type ServerFileProblem = 'missing' | 'place' | 'extension';

export function serverFileProblem(
  text: string,
  extensions: readonly string[] = sourceExtensions,
): ServerFileProblem | undefined {
  const path = text.trim();
  if (path === '') return 'missing';
  if (!/^(?:\/data\/|(?:\.\/)?upload\/)/.test(path)) return 'place';
  return extensions.some((extension) => extension === findSourceExtension(path)) ? undefined : 'extension';
}

type VideoUrlProblem = 'missing' | 'scheme' | 'invalid';

export function videoUrlProblem(text: string): VideoUrlProblem | undefined {
  const url = text.trim();
  if (url === '') return 'missing';
  if (!/^https?:\/\//i.test(url)) return 'scheme';
  return blanks.test(url) || !URL.canParse(url) || url.length > sourceLimits.urlCharacters ? 'invalid' : undefined;
}

/** Lower-case extension of a file name if supported. */
export function findSourceExtension(name: string): string | undefined {
  const extension = extensionOf(name);
  return sourceExtensions.find((known) => known === extension);
}

/** The same of a picture. */
export function findPictureExtension(name: string): string | undefined {
  const extension = extensionOf(name);
  return pictureExtensions.find((known) => known === extension);
}

function extensionOf(name: string): string | undefined {
  return /\.[a-z0-9]+$/i.exec(name)?.[0].toLowerCase();
}
