import * as z from 'zod';

/**
 * Conditions that need attention. `guessing`: `count` wrong passwords. `certificate`: expires at `since`, in `count` whole days.
 * `record-storage`: no space for recordings. `output`: an enabled push is not live. `record-failed`: `count` recordings could not be
 * finished. `record-lost`: segments are missing in `count` recordings. `rewind-storage`: viewers cannot go back as
 * far as set, for lack of space. `upload`: `count` files wait for an unavailable storage. `callback`:
 * `count` events wait for the receiver. `local-ai`: built-in AI crashed `count` times in a row. `ai-limit`: the feature in `subject` pauses
 * until midnight UTC, or only the room in `label`. `ai-provider`: the host in `label` has failed that feature `count` times in a row for at
 * least a minute. `worker`: the process of the protocol in `subject` ended `count` times within an hour. `store`: settings cannot be read
 * or may be lost, for the reason in `cause`. `stream`: the stream in `subject` has the issue in `cause`. `program`: the program in `subject`
 * is on its slate or on the backup input in `label`, since its better inputs were lost for the reason in `cause`. `update`: the update to the
 * version in `subject` did not work, for the reason in `cause`. `backup`: `count` scheduled
 * backups in a row failed for the reason in `cause`.
 */
export const alertKinds = [
  'guessing',
  'certificate',
  'record-storage',
  'output',
  'record-failed',
  'record-lost',
  'rewind-storage',
  'upload',
  'callback',
  'local-ai',
  'ai-limit',
  'ai-provider',
  'worker',
  'store',
  'stream',
  'program',
  'update',
  'backup',
] as const;

/** The database does not answer, or one of its settings puts confirmed writes at risk. */
export const storeFaults = ['away', 'appendonly', 'appendfsync', 'maxmemory-policy'] as const;
export type StoreFault = (typeof storeFaults)[number];

/** `bad`: a requested function does not work. `warn`: it may stop working. */
const alertSeverities = ['bad', 'warn'] as const;

/** Console tab with the remedy; `child` is a nested tab, or empty. */
export const AlertPlace = z.object({
  page: z.enum(['scenario', 'settings']),
  tab: z.string(),
  child: z.string().default(''),
});
export type AlertPlace = z.infer<typeof AlertPlace>;

/** Observed condition, present while it lasts and never stored. */
export const Alert = z.object({
  kind: z.enum(alertKinds),
  severity: z.enum(alertSeverities).default('warn'),
  since: z.string(),
  count: z.int(),
  place: AlertPlace,
  /** Affected slot or `app/stream`; empty if there is only one. */
  subject: z.string().default(''),
  /** Name given by the owner, if any. */
  label: z.string().default(''),
  /** Cause in the terms of its kind: of a process, recording, upload or callback; empty if unknown. */
  cause: z.string().default(''),
});
export type Alert = z.infer<typeof Alert>;
