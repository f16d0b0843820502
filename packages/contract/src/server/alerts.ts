import * as z from 'zod';

/**
 * What may need a person. `guessing`: wrong passwords, `count` of them. `certificate`: it ends at `since`, in `count` whole days.
 * `record-storage`: recordings have no room. `output`: something that should be sent is not. `record-failed`: `count` recordings could
 * not be finished. `record-lost`: segments are missing in `count` recordings. `upload`: `count` files wait for a storage that does not
 * take them. `callback`: the receiver does not take events, `count` of them wait. `local-ai`: the process of built-in AI ended `count` times in a
 * row. `ai-limit`: the feature that is its `subject` pauses until midnight UTC; with a `label` only the room of that title. `ai-provider`: the host that is its `label` has failed that feature
 * `count` times in a row, for a minute or more. `worker`: the process of the protocol that is its `subject` ended `count` times within an hour.
 * `store`: settings cannot be read, or what was saved may be lost, by the fault that is its `cause`. `stream`: the stream that is its
 * `subject` needs attention, by the issue that is its `cause`.
 */
const alertKinds = [
  'guessing',
  'certificate',
  'record-storage',
  'output',
  'record-failed',
  'record-lost',
  'upload',
  'callback',
  'local-ai',
  'ai-limit',
  'ai-provider',
  'worker',
  'store',
  'stream',
] as const;

/** The database does not answer, or a setting of its: what it confirmed may be lost. */
export const storeFaults = ['away', 'appendonly', 'appendfsync', 'maxmemory-policy'] as const;
export type StoreFault = (typeof storeFaults)[number];

/** `bad`: something that was asked for does not happen. `warn`: it will not, or may not, unless somebody looks. */
const alertSeverities = ['bad', 'warn'] as const;

/** The tab of the console where it can be mended; `child` is the tab within that tab, or empty. */
export const AlertPlace = z.object({
  page: z.enum(['scenario', 'settings']),
  tab: z.string(),
  child: z.string().default(''),
});
export type AlertPlace = z.infer<typeof AlertPlace>;

/** Something that needs a person, for as long as it does: it is observed, never remembered. */
export const Alert = z.object({
  kind: z.enum(alertKinds),
  severity: z.enum(alertSeverities).default('warn'),
  since: z.string(),
  count: z.int(),
  place: AlertPlace,
  /** What it is about: the slot of an output, `app/stream` of a single recording; empty where there is nothing to tell apart. */
  subject: z.string().default(''),
  /** The name the owner gave it, if any. */
  label: z.string().default(''),
  /** Why, in the words of its kind: the cause of a process, the failure of a recording, an upload or a callback; empty: not known. */
  cause: z.string().default(''),
});
export type Alert = z.infer<typeof Alert>;
