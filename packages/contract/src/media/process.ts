import * as z from 'zod';
import { post } from '../endpoint.ts';

/**
 * The words for work that a program does for the owner. `waiting`: wanted, and nothing to take media from yet. `reconnecting`:
 * was live, and is being tried again. `failing`: tried several times, and never live since.
 */
const processStates = ['off', 'waiting', 'starting', 'live', 'reconnecting', 'failing', 'stopping'] as const;
export type ProcessState = (typeof processStates)[number];

/** Why a program failed, as far as its words tell. The console has a sentence and a remedy for each. */
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

/** How often the console asks for states: at rest, and while one of them is about to change; and for an open log. */
export const processTimes = { pollMs: 10_000, watchMs: 2000, logPollMs: 3000 } as const;

/** What `-progress` says, parsed. `null`: the program does not tell. */
export const ProcessNumbers = z.object({
  fps: z.number().nullable(),
  kbps: z.number().nullable(),
  /** 1 keeps up with the clock. */
  speed: z.number().nullable(),
  droppedFrames: z.int(),
  /** How much media it has handled since it started. */
  mediaMs: z.number(),
});
export type ProcessNumbers = z.infer<typeof ProcessNumbers>;

/** The state of one piece of supervised work, in facts. Times are ISO 8601; empty = none. */
export const ProcessReport = z.object({
  state: z.enum(processStates),
  since: z.string(),
  /** Failures in a row, and starts since the server started. */
  failures: z.int(),
  starts: z.int(),
  /** Of the last failure; kept while it works again, with its time, until it worked for a minute. */
  failure: z.object({ cause: z.enum(processCauses), detail: z.string(), at: z.string() }).nullable(),
  nextTry: z.string(),
  numbers: ProcessNumbers.nullable(),
});
export type ProcessReport = z.infer<typeof ProcessReport>;

/** The last progress line, as clients of the older product show it. Absent until there is one. */
const ProcessFrame = z.object({ log: z.string(), update: z.string() });

/** Fields of a status row while a child runs. */
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
