import * as z from 'zod';
import { post, setup } from '../endpoint.ts';
import { isBucketComplete, S3Bucket, S3BucketInput } from '../media/bucket.ts';
import { UploadFailureField } from '../media/uploads.ts';

export const backupLimits = {
  /** Limits of an encrypted file and of its unpacked content. */
  fileBytes: 2 * 1024 ** 3,
  unpackedBytes: 8 * 1024 ** 3,
  settingsBytes: 512 * 1024 ** 2,
  rowBytes: 32 * 1024 ** 2,
  rows: 2_000_000,
  files: 20_000,
  keep: 365,
  keyCharacters: 200,
  /** An uploaded file that is not restored is removed. */
  stagedMs: 3600_000,
} as const;

/** File extension of a backup. */
export const backupExtension = '.weir.age';

/** Reasons to refuse a file; the console has a sentence for each. */
export const backupFaults = [
  'not-a-backup',
  'bad-key',
  'wrong-key',
  'damaged',
  'forged',
  'newer',
  'older',
  'too-large',
  'no-space',
] as const;
export type BackupFault = (typeof backupFaults)[number];

/** Parts of the settings, as people know them. Each collection of the store belongs to one. */
export const backupParts = [
  'account',
  'publishing',
  'viewing',
  'forward',
  'vlive',
  'camera',
  'programs',
  'transcode',
  'record',
  'recordings',
  'cloud',
  'transcript',
  'ocr',
  'dubbing',
  'rooms',
  'ai',
  'callbacks',
  'notifications',
  'https',
  'site',
  'delivery',
  'sources',
  'backup',
  'other',
] as const;
export type BackupPart = (typeof backupParts)[number];

export const backupSchedules = ['off', 'daily', 'weekly'] as const;
export const backupDestinations = ['directory', 'bucket'] as const;

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 03:30');

const settingsFields = {
  schedule: z.enum(backupSchedules).default('off'),
  /** 0 is Sunday; of weekly backups. */
  weekday: z.int().min(0).max(6).default(0),
  /** In the server's time zone. */
  time: Time.default('03:30'),
  destination: z.enum(backupDestinations).default('directory'),
  /** Older backups of this server are removed. */
  keep: z.int().min(1).max(backupLimits.keep).default(7),
  /** Includes the list of recordings, not their files. */
  recordings: z.boolean().default(true),
} as const;

/** Stored settings of backups. */
export const BackupSettings = z.object({ ...settingsFields, bucket: S3Bucket });
export type BackupSettings = z.output<typeof BackupSettings>;

const Change = z
  .object({ ...settingsFields, bucket: S3BucketInput })
  .refine(
    ({ schedule, destination, bucket }) => schedule === 'off' || destination !== 'bucket' || isBucketComplete(bucket),
    {
      message: 'endpoint, bucket, access key and secret key are required',
    },
  );

/** Why a scheduled backup failed: a reason of the storage, or of this server. */
const failures = ['', 'no-key', 'directory', 'disk', 'storage', 'settings', 'other'] as const;
export const BackupFailure = z.enum(failures);
export type BackupFailure = z.infer<typeof BackupFailure>;

/** Result of one backup. */
export const BackupResult = z.object({
  at: z.string(),
  ok: z.boolean(),
  name: z.string(),
  bytes: z.number(),
  tookMs: z.int(),
  failure: BackupFailure,
  /** Reason of the bucket, where `failure` is `storage`. */
  storage: UploadFailureField,
  error: z.string(),
});
export type BackupResult = z.infer<typeof BackupResult>;

const BackupFile = z.object({ name: z.string(), at: z.string(), bytes: z.number() });

export const BackupStatus = z.object({
  settings: BackupSettings,
  /** Public half of the recovery key; empty before there is one. */
  recipient: z.string(),
  keyCreatedAt: z.string(),
  /** Directory of scheduled backups on this server. */
  directory: z.string(),
  running: z.boolean(),
  last: BackupResult.nullable(),
  /** Time of the next scheduled backup; empty without a schedule. */
  next: z.string(),
  /** Backups at the destination, newest first. */
  files: z.array(BackupFile),
});
export type BackupStatus = z.infer<typeof BackupStatus>;

/** Entries of one part of the settings that a restore adds, changes and removes. */
export const RestoreChange = z.object({
  part: z.enum(backupParts),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
});
export type RestoreChange = z.infer<typeof RestoreChange>;

/** Entries of a list now and after the restore. */
const Count = z.object({ before: z.int(), after: z.int() });

export const RestorePlan = z.object({
  /** Confirms this plan and no other. */
  id: z.string(),
  createdAt: z.string(),
  version: z.string(),
  bytes: z.number(),
  changes: z.array(RestoreChange),
  /** Sign-in after the restore needs the password of the backup. */
  password: z.boolean(),
  /** Scripts need the API secret of the backup. */
  apiSecret: z.boolean(),
  certificate: z.enum(['kept', 'same', 'replaced']),
  /** Broadcasts, and lines of transcripts; null where the backup has none. */
  broadcasts: Count.nullable(),
  transcripts: Count.nullable(),
  /** The list of recordings is part of the backup. */
  recordings: z.boolean(),
});
export type RestorePlan = z.infer<typeof RestorePlan>;

/** Result of a connection test: of a bucket as for recordings, or of the directory. */
export const BackupTest = z.object({
  step: z.enum(['write', 'read', 'delete', '']),
  failure: z.union([UploadFailureField, z.literal('directory')]),
  error: z.string(),
});
export type BackupTest = z.infer<typeof BackupTest>;

export const backupApi = {
  query: post('/terraform/v1/mgmt/backup/query', {
    summary: 'Get settings of backups with a masked key, the last result and existing backups',
    data: BackupStatus,
  }),
  apply: post('/terraform/v1/mgmt/backup/apply', {
    summary: 'Set schedule, destination and retention of backups',
    body: Change,
    data: z.null(),
  }),
  key: post('/terraform/v1/mgmt/backup/key', {
    summary:
      'Create the recovery key of backups; `identity` appears only in this answer. Older backups need the older key',
    data: z.object({ identity: z.string(), recipient: z.string() }),
  }),
  test: post('/terraform/v1/mgmt/backup/test', {
    summary: 'Test the destination of backups by writing, reading and deleting a small file; nothing is saved',
    body: Change,
    data: BackupTest,
  }),
  run: post('/terraform/v1/mgmt/backup/run', {
    summary: 'Start a backup to the saved destination now; `query` has its result',
    data: z.null(),
  }),
  download: post('/terraform/v1/mgmt/backup/download', {
    summary: 'Download an encrypted backup; the answer is the file',
    data: z.null(),
  }),
  upload: setup('/terraform/v1/mgmt/backup/upload', {
    summary: 'Upload a backup to restore as the body; the set-up code is the bearer of a new server',
    data: z.object({ bytes: z.number() }),
  }),
  inspect: setup('/terraform/v1/mgmt/backup/inspect', {
    summary: 'Check the uploaded backup and list what restoring it changes; nothing is changed',
    body: z.object({ key: z.string().max(backupLimits.keyCharacters) }),
    data: RestorePlan,
  }),
  restore: setup('/terraform/v1/mgmt/backup/restore', {
    summary: 'Restore the checked backup and restart the control server; streams continue',
    body: z.object({ id: z.string().max(64) }),
    data: z.null(),
  }),
  discard: setup('/terraform/v1/mgmt/backup/discard', {
    summary: 'Remove the uploaded backup without restoring it',
    data: z.null(),
  }),
} as const;
