import { Glob, globCharacters, isQuality, segmentFormatNames } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { RecordingUpload } from './bucket.ts';
import { RecordingRow } from './recording-row.ts';

export const recordLimits = {
  globs: 1000,
  pathCharacters: 1024,
  /** A recording ends after this time without a segment, sooner if recording is switched off. */
  silenceMs: 300_000,
  silenceWhenOffMs: 30_000,
  /** Validity of a link. */
  linkMs: 6 * 3600_000,
  /** Qualities of one stream that are recorded at the same time. */
  qualities: 8,
  /** Automatic attempts to finish a recording. */
  tries: 6,
} as const;

export const recordPollMs = 10_000;

/** Stands for the stream as it is published, among the qualities that are recorded. */
export const sourceQuality = 'source';

const RecordQualities = z
  .array(
    z
      .string()
      .refine(
        (name) => name === sourceQuality || isQuality(name),
        `must be ${sourceQuality} or a quality, such as 480p`,
      ),
  )
  .min(1)
  .max(recordLimits.qualities);

/** Examples for a first rule. */
export const globSamples = ['/live/livestream', '/live/*', '/*/*'] as const;
/** The only kind of post-processing: copies the finished file. */
export const postProcessCopy = 'post-cp-file';
/** Default target of copies, meant to be a mount. */
export const defaultCopyDirectory = '/data/srs-s3-bucket';

/** Action at a storage limit: stop recording, or delete the oldest finished recordings. */
export const storageLimitActions = ['stop', 'delete-oldest'] as const;

const Bytes = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** Storage limits. 0 disables a rule unless noted. */
export const RecordStorageRule = z.object({
  /** Recording stops below this free space; 0 means a twentieth of the disk, at most 1 GiB. */
  floorBytes: Bytes.default(0),
  /** Limit of all recordings together. */
  quotaBytes: Bytes.default(0),
  atLimit: z.enum(storageLimitActions).default('stop'),
  /** Deletes finished recordings beyond this age or total size. */
  keepDays: z.int().nonnegative().max(36_500).default(0),
  keepBytes: Bytes.default(0),
  /** Keeps the segments beside the MP4, which doubles the space. */
  keepSegments: z.boolean().default(false),
});
export type RecordStorageRule = z.infer<typeof RecordStorageRule>;

/**
 * `stopped`: a limit is reached and recording waits for space. `deleting`: a limit is reached and the oldest are deleted. `failing`: the
 * directory is not writable.
 */
const recordStorageStates = ['ok', 'deleting', 'stopped', 'failing'] as const;

/** Storage as last measured. */
export const RecordStorage = z.object({
  state: z.enum(recordStorageStates),
  /** Reached limit: free disk space, quota, or a directory error. Empty if none. */
  limit: z.enum(['floor', 'quota', 'directory', '']),
  /** Start of the state; empty before the first measurement. */
  since: z.string(),
  usedBytes: z.number(),
  freeBytes: z.number(),
  totalBytes: z.number(),
  /** Effective value of `floorBytes`. */
  floorBytes: z.number(),
  /** Recent daily volume, and days until a limit at that rate; null if never or unknown. */
  bytesPerDay: z.number(),
  fullInDays: z.number().nullable(),
  /** Recordings deleted by these rules since the server start. */
  deleted: z.int(),
});
export type RecordStorage = z.infer<typeof RecordStorage>;

export const RecordSettings = z.object({
  /** Records all streams, or those that match `globs`. */
  all: z.boolean(),
  /** Recordings directory on the server. */
  home: z.string(),
  globs: z.array(z.string()),
  /** Target of copies; empty for none. */
  processCpDir: z.string(),
  /** Adds the transcript as a subtitle track. */
  subtitles: z.boolean(),
  /** Container of the segments of recordings that begin from now on. */
  segmentFormat: z.enum(segmentFormatNames).default('mpegts'),
  /** Qualities that are recorded where a stream has them: `source` for the stream as published, others by name, such as `480p`. */
  qualities: z.array(z.string()).default([sourceQuality]),
  rule: RecordStorageRule,
  storage: RecordStorage,
});
export type RecordSettings = z.infer<typeof RecordSettings>;

/** `finishing`: the MP4 is being written. `copying`: the copy is. `failed`: see `error`; the segments are kept for a retry. */
export const recordStates = ['recording', 'finishing', 'copying', 'done', 'failed'] as const;
export type RecordState = (typeof recordStates)[number];

/** Reasons of a failed finish, each with a text in the console; details are in `error`. */
export const recordFailures = ['no-space', 'no-segments', 'ffmpeg-missing', 'ffmpeg', 'copy', 'disk', ''] as const;

/** `progress` is true until everything is finished; `size` is that of the MP4 once the segments are deleted. */
export const Recording = RecordingRow.extend({
  /** Quality of the stream that was recorded; empty for the stream as published. */
  quality: z.string().default(''),
  state: z.enum(recordStates),
  startedAt: z.string(),
  /** Empty while recording. */
  endedAt: z.string(),
  /** Discontinuities between publishers and around missing media. */
  discontinuities: z.int(),
  /** Segments that could not be written: disk full, too slow or missing. */
  lost: z.int(),
  /** Size of the MP4; 0 until it exists. */
  mp4Bytes: z.number(),
  /** Total size on disk. */
  totalBytes: z.number(),
  thumbnail: z.boolean(),
  /** A transcript exists, as `srt`, `vtt` and `txt`. */
  transcript: z.boolean(),
  /** Progress of the MP4 or the copy; else null. */
  percent: z.number().nullable(),
  failure: z.enum(recordFailures),
  error: z.string(),
  tries: z.int(),
  /** Next automatic retry; empty for none. */
  nextTry: z.string(),
  /** Path of the copy; empty for none. */
  copy: z.string(),
  /** Upload to the S3 bucket; null if none is planned. */
  upload: RecordingUpload.nullable(),
});
export type Recording = z.infer<typeof Recording>;

export const RecordGlobs = z
  .array(z.string().trim().max(globCharacters))
  .max(recordLimits.globs)
  .default([])
  .transform((globs) => globs.filter((glob) => glob !== ''))
  .refine((globs) => globs.reduce((sum, glob) => sum + glob.length, 0) <= globCharacters, {
    message: `all patterns together must be at most ${globCharacters} characters`,
  })
  .refine((globs) => globs.every((glob) => typeof Glob.parse(glob) !== 'string'), {
    message: 'a pattern is not valid: check for an unclosed [ or {, or a trailing \\',
  });

const Name = z.string().min(1).max(limits.streamNameCharacters);
const One = z.object({ uuid: z.string().min(1).max(64) });

/** URLs of a recording for players and links. Each needs credentials or `sign`. */
export const RecordLink = z.object({
  /** Query (without `?`) that grants access to this recording only. */
  query: z.string(),
  expireAt: z.string(),
  /** Paths including that query. */
  m3u8: z.string(),
  mp4: z.string(),
  thumbnail: z.string(),
  srt: z.string(),
  vtt: z.string(),
  txt: z.string(),
  /** Spoken language; empty if none or unknown. */
  language: z.string(),
  /** Languages of translations; the last three files take one as `&lang=`. */
  translations: z.array(z.string()),
});
export type RecordLink = z.infer<typeof RecordLink>;

export const recordPlaybackPath = '/terraform/v1/hooks/record/hls';
export const recordLinkParameter = 'sign';
/** Selects a translation of the transcript. */
export const recordLanguageParameter = 'lang';

export const transcriptFormats = ['srt', 'vtt', 'txt'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** Playback paths without credentials. */
export const recordPaths = {
  m3u8: (uuid: string) => `${recordPlaybackPath}/${uuid}.m3u8`,
  mp4: (uuid: string) => `${recordPlaybackPath}/${uuid}/index.mp4`,
  thumbnail: (uuid: string) => `${recordPlaybackPath}/${uuid}/index.jpg`,
  /** Transcript as SubRip, WebVTT or plain text. */
  transcript: (uuid: string, form: TranscriptFormat) => `${recordPlaybackPath}/${uuid}/index.${form}`,
  /** Established path of segments and their init sections, with `record` twice. */
  segment: (uuid: string, fileName: string) => `${recordPlaybackPath}/record/${uuid}/${fileName}`,
} as const;

export const recordApi = {
  query: post('/terraform/v1/hooks/record/query', {
    summary: 'Get recording settings and disk space',
    data: RecordSettings,
  }),
  apply: post('/terraform/v1/hooks/record/apply', {
    summary: 'Start or stop recording',
    body: z.object({ all: z.boolean().default(false) }),
    data: z.null(),
  }),
  globs: post('/terraform/v1/hooks/record/globs', {
    summary: 'Set the patterns of /app/stream that are recorded; without patterns, all streams are',
    body: z.object({ globs: RecordGlobs }),
    data: z.null(),
  }),
  stream: post('/terraform/v1/hooks/record/stream', {
    summary:
      'Record one stream or stop recording it, by a pattern with exactly its name; refused if another pattern decides',
    body: z.object({ app: Name, stream: Name, record: z.boolean() }),
    data: z.null(),
  }),
  postProcessing: post('/terraform/v1/hooks/record/post-processing', {
    summary: 'Set the directory that finished files are copied to; empty turns copying off',
    body: z.object({
      postProcess: z.string().max(64).default(''),
      postCpDir: z.string().trim().max(recordLimits.pathCharacters).default(''),
    }),
    data: z.null(),
  }),
  subtitles: post('/terraform/v1/hooks/record/subtitles', {
    summary: 'Set whether finished MP4 files get a subtitle track with the transcript',
    body: z.object({ subtitles: z.boolean() }),
    data: z.null(),
  }),
  segmentFormat: post('/terraform/v1/hooks/record/segment-format', {
    summary: 'Set the container of recorded segments; a recording in progress keeps its own',
    body: z.object({ segmentFormat: z.enum(segmentFormatNames) }),
    data: z.null(),
  }),
  qualities: post('/terraform/v1/hooks/record/qualities', {
    summary: 'Set which qualities of streams are recorded, each as a recording of its own; those no longer chosen end',
    body: z.object({ qualities: RecordQualities }),
    data: z.null(),
  }),
  storage: post('/terraform/v1/hooks/record/storage', {
    summary: 'Set storage limits of recordings, and what happens when they are reached',
    body: RecordStorageRule,
    data: z.null(),
  }),
  files: post('/terraform/v1/hooks/record/files', {
    summary: 'List recordings, last updated first',
    data: z.array(Recording),
  }),
  end: post('/terraform/v1/hooks/record/end', {
    summary: 'End a recording now; if the stream is still live, the next recording starts',
    body: One,
    data: z.null(),
  }),
  remove: post('/terraform/v1/hooks/record/remove', {
    summary: 'Delete a finished recording with all its files',
    body: One,
    data: z.null(),
  }),
  retry: post('/terraform/v1/hooks/record/retry', {
    summary: 'Retry a recording that could not be finished',
    body: One,
    data: z.null(),
  }),
  sign: post('/terraform/v1/hooks/record/sign', {
    summary: 'Create temporary links to a recording that work without signing in',
    body: One,
    data: RecordLink,
  }),
} as const;
