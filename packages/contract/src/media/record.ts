import * as z from 'zod';
import { post } from '../endpoint.ts';
import { RecordingUpload } from './bucket.ts';
import { Glob, globCharacters } from './glob.ts';
import { RecordingRow } from './recording-row.ts';

export const recordLimits = {
  globs: 1000,
  pathCharacters: 1024,
  /** Without a segment for this long a recording is over; sooner once recording was switched off. */
  silenceMs: 300_000,
  silenceWhenOffMs: 30_000,
  /** How long a link to one recording works. */
  linkMs: 6 * 3600_000,
  /** Tries of finishing a recording by itself before a person must ask for the next. */
  tries: 6,
} as const;

export const recordPollMs = 10_000;

/** Offered to people who write their first rule. */
export const globSamples = ['/live/livestream', '/live/*', '/*/*'] as const;
/** The one kind of post-processing: a copy of the finished file. */
export const postProcessCopy = 'post-cp-file';
/** Where copies go unless another directory is typed: meant to be a mount of the owner's. */
export const defaultCopyDirectory = '/data/srs-s3-bucket';

/** What happens when recordings reach a limit: nothing more is recorded, or the oldest finished ones make room. */
export const storageLimitActions = ['stop', 'delete-oldest'] as const;

const Bytes = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** How much room recordings may take. 0 switches a rule off, except where it says otherwise. */
export const RecordStorageRule = z.object({
  /** Recording stops while the disk has less than this left; 0: a twentieth of the disk, at most 1 GiB. */
  floorBytes: Bytes.default(0),
  /** All recordings together may not take more. */
  quotaBytes: Bytes.default(0),
  atLimit: z.enum(storageLimitActions).default('stop'),
  /** Finished recordings older than this are deleted, and the oldest ones while all take more than that. */
  keepDays: z.int().nonnegative().max(36_500).default(0),
  keepBytes: Bytes.default(0),
  /** Whether the segments of a finished recording stay beside its mp4, which takes twice the room. */
  keepSegments: z.boolean().default(false),
});
export type RecordStorageRule = z.infer<typeof RecordStorageRule>;

/**
 * `stopped`: a limit is reached and nothing is recorded until there is room. `deleting`: a limit is reached and the oldest
 * make room. `failing`: the directory cannot be written.
 */
const recordStorageStates = ['ok', 'deleting', 'stopped', 'failing'] as const;

/** How much room there is, as last measured. */
export const RecordStorage = z.object({
  state: z.enum(recordStorageStates),
  /** Which limit: the space left on the disk, the quota, or an error of the directory. Empty while all is well. */
  limit: z.enum(['floor', 'quota', 'directory', '']),
  /** When that state began; empty before the first look. */
  since: z.string(),
  usedBytes: z.number(),
  freeBytes: z.number(),
  totalBytes: z.number(),
  /** What `floorBytes` comes to. */
  floorBytes: z.number(),
  /** Recorded per day of late, and the days until a limit is reached at that pace; null: never, or not known yet. */
  bytesPerDay: z.number(),
  fullInDays: z.number().nullable(),
  /** Recordings that were deleted to keep the rules since the server started. */
  deleted: z.int(),
});
export type RecordStorage = z.infer<typeof RecordStorage>;

export const RecordSettings = z.object({
  /** Whether streams are recorded, all of them unless globs choose. */
  all: z.boolean(),
  /** The directory of recordings on the server. */
  home: z.string(),
  globs: z.array(z.string()),
  /** Where finished files are copied to; empty: they are not. */
  processCpDir: z.string(),
  /** Whether finished files get what was said as a subtitle track. */
  subtitles: z.boolean(),
  rule: RecordStorageRule,
  storage: RecordStorage,
});
export type RecordSettings = z.infer<typeof RecordSettings>;

/**
 * `finishing`: its mp4 is being made. `copying`: the copy is. `failed`: what went wrong is in `error`; the segments are there, and
 * it can be tried again.
 */
export const recordStates = ['recording', 'finishing', 'copying', 'done', 'failed'] as const;
export type RecordState = (typeof recordStates)[number];

/** Why finishing did not work. The console has a sentence for each; `error` holds the details. */
export const recordFailures = ['no-space', 'no-segments', 'ffmpeg-missing', 'ffmpeg', 'copy', 'disk', ''] as const;

/** One recording. `progress` is true until everything about it is finished; `size`, once its segments were removed, is that of the mp4. */
export const Recording = RecordingRow.extend({
  state: z.enum(recordStates),
  startedAt: z.string(),
  /** Empty while it is recorded. */
  endedAt: z.string(),
  /** Seams between publishers, and around what is missing. */
  discontinuities: z.int(),
  /** Segments that could not be kept: the disk was full, too slow or gone. */
  lost: z.int(),
  /** Of the mp4; 0 until there is one. */
  mp4Bytes: z.number(),
  /** Everything it takes on the disk. */
  totalBytes: z.number(),
  thumbnail: z.boolean(),
  /** Whether something was said in it that was understood: `srt`, `vtt` and `txt` of it are there. */
  transcript: z.boolean(),
  /** How much of the mp4 or the copy is made, while it is; else null. */
  percent: z.number().nullable(),
  failure: z.enum(recordFailures),
  error: z.string(),
  tries: z.int(),
  /** When it is tried again by itself; empty: it is not. */
  nextTry: z.string(),
  /** The file a copy was put in; empty: none. */
  copy: z.string(),
  /** How far the S3 bucket has it; null: it does not go there. */
  upload: RecordingUpload.nullable(),
});
export type Recording = z.infer<typeof Recording>;

const Globs = z
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

const One = z.object({ uuid: z.string().min(1).max(64) });

/** Addresses of one recording, for a player or a link. Each needs the administrator's credential or `sign`. */
export const RecordLink = z.object({
  /** Query that opens everything of this recording and nothing else, without the `?`. */
  query: z.string(),
  expireAt: z.string(),
  /** Paths with that query. */
  m3u8: z.string(),
  mp4: z.string(),
  thumbnail: z.string(),
  srt: z.string(),
  vtt: z.string(),
  txt: z.string(),
  /** What was spoken; empty: nothing, or nobody knows. */
  language: z.string(),
  /** Languages of translations: the last three files take one as `&lang=`. */
  translations: z.array(z.string()),
});
export type RecordLink = z.infer<typeof RecordLink>;

export const recordPlaybackPath = '/terraform/v1/hooks/record/hls';
export const recordLinkParameter = 'sign';
/** Of a transcript: which translation of it. */
export const recordLanguageParameter = 'lang';

export const transcriptFormats = ['srt', 'vtt', 'txt'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** Where a recording is played from, without a credential. */
export const recordPaths = {
  m3u8: (uuid: string) => `${recordPlaybackPath}/${uuid}.m3u8`,
  mp4: (uuid: string) => `${recordPlaybackPath}/${uuid}/index.mp4`,
  thumbnail: (uuid: string) => `${recordPlaybackPath}/${uuid}/index.jpg`,
  /** What was said in it: SubRip, WebVTT, or text alone. */
  transcript: (uuid: string, form: TranscriptFormat) => `${recordPlaybackPath}/${uuid}/index.${form}`,
  /** The form that playlists have always used, with `record` twice. */
  segment: (uuid: string, tsid: string) => `${recordPlaybackPath}/record/${uuid}/${tsid}.ts`,
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
    body: z.object({ globs: Globs }),
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
