import * as z from 'zod';

/** Why an installation of built-in AI did not complete. */
export const localAiFaults = [
  'busy',
  'unsupported-platform',
  'npm-missing',
  'registry-unreachable',
  'wrong-sum',
  'no-room',
  'not-writable',
  'failed',
] as const;

/** The process of built-in AI. It runs only while somebody needs it. */
export const LocalAiProcess = z.object({
  phase: z.enum(['stopped', 'starting', 'running', 'backing-off']),
  /** 0 while none runs. */
  pid: z.int(),
  startedAt: z.string(),
  /** Resident; null where the system does not tell, or none runs. */
  memoryBytes: z.number().nullable(),
  starts: z.int(),
  /** In a row. */
  failures: z.int(),
  /** The last end that nobody asked for. */
  lastExit: z
    .object({ at: z.string(), reason: z.string(), code: z.int().nullable(), signal: z.string().nullable() })
    .nullable(),
});
export type LocalAiProcess = z.infer<typeof LocalAiProcess>;

export const LocalAi = z.object({
  state: z.enum(['missing', 'installing', 'installed', 'unsupported']),
  /** On disk now, on disk when complete, and still to be downloaded. */
  bytes: z.number(),
  totalBytes: z.number(),
  downloadBytes: z.number(),
  /** Bytes count what is fetched; each package is unpacked and checked then. */
  progress: z
    .object({ file: z.string(), step: z.enum(['fetch', 'unpack']), doneBytes: z.number(), totalBytes: z.number() })
    .nullable(),
  /** Why the last installation did not complete. */
  fault: z.enum(localAiFaults).nullable(),
  /** Where models can be put by hand. */
  modelsDir: z.string(),
  process: LocalAiProcess,
  /** What it can do; empty until it has run once. */
  models: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string(), languages: z.array(z.string()) })),
});
export type LocalAi = z.infer<typeof LocalAi>;
