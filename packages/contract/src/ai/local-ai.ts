import * as z from 'zod';
import { ProcessExit } from '../media/process.ts';

/** Reasons of a failed installation of built-in AI. */
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

/** Models that are installed and removed together; the others need `basic`. */
export const localAiSets = ['basic', 'whisper-base', 'whisper-small'] as const;
export const LocalAiSet = z.enum(localAiSets);
export type LocalAiSet = z.infer<typeof LocalAiSet>;

/** Process of built-in AI, which runs only while needed. */
export const LocalAiProcess = z.object({
  phase: z.enum(['stopped', 'starting', 'running', 'backing-off']),
  /** 0 if not running. */
  pid: z.int(),
  startedAt: z.string(),
  /** Resident memory; null if unknown or not running. */
  memoryBytes: z.number().nullable(),
  starts: z.int(),
  /** Consecutive failures. */
  failures: z.int(),
  /** Last unexpected exit. */
  lastExit: ProcessExit.nullable(),
});
export type LocalAiProcess = z.infer<typeof LocalAiProcess>;

export const LocalAi = z.object({
  state: z.enum(['missing', 'installing', 'installed', 'unsupported']),
  /** Installed bytes, total bytes and bytes to download. */
  bytes: z.number(),
  totalBytes: z.number(),
  downloadBytes: z.number(),
  /** Downloaded bytes; packages are then unpacked and verified. */
  progress: z
    .object({ file: z.string(), step: z.enum(['fetch', 'unpack']), doneBytes: z.number(), totalBytes: z.number() })
    .nullable(),
  /** Reason of the last failed installation. */
  fault: z.enum(localAiFaults).nullable(),
  /** Set that is being installed, or whose installation failed. */
  set: LocalAiSet,
  /** Every set, in the order in which the console lists them. */
  sets: z.array(
    z.object({
      set: LocalAiSet,
      state: z.enum(['missing', 'installed', 'unsupported']),
      totalBytes: z.number(),
      downloadBytes: z.number(),
    }),
  ),
  /** Directory for user models. */
  modelsDir: z.string(),
  process: LocalAiProcess,
  /** Empty until built-in AI has run once. */
  models: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string(), languages: z.array(z.string()) })),
});
export type LocalAi = z.infer<typeof LocalAi>;
