import * as z from 'zod';
import { post } from '../endpoint.ts';

/**
 * States of a supervised process. `waiting`: enabled, but no input yet. `reconnecting`: was live and is retried. `failing`: tried several
 * times without becoming live.
 */
const processStates = ['off', 'waiting', 'starting', 'live', 'reconnecting', 'failing', 'stopping'] as const;
export type ProcessState = (typeof processStates)[number];

/** Causes parsed from a process's output, each with a text and a remedy in the console. */
export const processCauses = [
  'program-missing',
  'program-old',
  'key-refused',
  'key-in-use',
  'not-found',
  'name-unknown',
  'connection-refused',
  'connection-lost',
  'no-route',
  'timed-out',
  'tls-failed',
  'login-refused',
  'address-invalid',
  'address-forbidden',
  'protocol-forbidden',
  'codec-unsupported',
  'input-broken',
  'input-ended',
  'no-video',
  'no-audio',
  'disk-full',
  'out-of-memory',
  'stalled',
  'too-slow',
  'too-fast',
  'killed',
  'unknown',
] as const;

/** Poll intervals: stable, changing, and for an open log. */
export const processTimes = { pollMs: 10_000, watchMs: 2000, logPollMs: 3000 } as const;

/** Parsed `-progress` output of ffmpeg; null if not reported. */
export const ProcessNumbers = z.object({
  fps: z.number().nullable(),
  kbps: z.number().nullable(),
  /** 1 is real time. */
  speed: z.number().nullable(),
  droppedFrames: z.int(),
  /** Media processed since the start. */
  mediaMs: z.number(),
});
export type ProcessNumbers = z.infer<typeof ProcessNumbers>;

/** Exit of a process. `wanted`: it was requested. `reason` is empty for a media or control server that had served. */
export const ProcessExit = z.object({
  at: z.string(),
  wanted: z.boolean(),
  code: z.int().nullable(),
  signal: z.string().nullable(),
  reason: z.string(),
});
export type ProcessExit = z.infer<typeof ProcessExit>;

/** Report of a supervised process. Times are ISO 8601; empty means none. */
export const ProcessReport = z.object({
  state: z.enum(processStates),
  since: z.string(),
  /** Consecutive failures, and starts since the server start. */
  failures: z.int(),
  starts: z.int(),
  /** Last failure; cleared once the process has worked for a minute. */
  failure: z.object({ cause: z.enum(processCauses), detail: z.string(), at: z.string() }).nullable(),
  nextTry: z.string(),
  /** Last exit, requested or not. */
  lastExit: ProcessExit.nullable(),
  numbers: ProcessNumbers.nullable(),
});
export type ProcessReport = z.infer<typeof ProcessReport>;

/** Last progress line, shown by clients of the older product. Absent until there is one. */
const ProcessFrame = z.object({ log: z.string(), update: z.string() });

/** Fields of a status row while a process runs. */
export const ProcessRun = z.object({
  start: z.string().optional(),
  ready: z.string().optional(),
  frame: ProcessFrame.optional(),
  process: ProcessReport,
});

export const processApi = {
  log: post('/terraform/v1/ffmpeg/log', {
    summary: 'Get the latest output of a process, with secrets removed',
    body: z.object({ key: z.string().min(1).max(200) }),
    data: z.object({ lines: z.array(z.string()) }),
  }),
} as const;
