import * as z from 'zod';
import { LocalAiProcess } from '../ai/local-ai.ts';
import { post } from '../endpoint.ts';
import { ProcessExit } from '../media/process.ts';

/** Processes kept running by the launcher: `engine` handles media, `server` is this API and the console. */
export const planeNames = ['engine', 'server'] as const;
const PlaneName = z.enum(planeNames);
export type PlaneName = z.infer<typeof PlaneName>;

export const Plane = z.object({
  name: PlaneName,
  /** 0 if not running. */
  pid: z.int(),
  ready: z.boolean(),
  startedAt: z.string(),
  uptimeSeconds: z.int(),
  /** Resident memory; null if unknown. */
  memoryBytes: z.number().nullable(),
  /** Since the launcher started. */
  restarts: z.int(),
  /** Last exit; its `reason` explains a failed start. */
  lastExit: ProcessExit.nullable(),
});
export type Plane = z.infer<typeof Plane>;

/** Process for one protocol that the engine starts on demand, listed for an hour after it ended unexpectedly. */
const FailedWorker = z.object({
  name: z.enum(['srt', 'rtc', 'delivery']),
  /** In the last hour. */
  failures: z.int(),
  lastExit: ProcessExit,
});

/** Encoders that transcoding needs and not every ffmpeg build has. */
export const ffmpegEncoders = ['libx264', 'libopus'] as const;

/** External program or library. `state` is `unknown` until it was checked. */
export const Tool = z.object({
  name: z.enum(['node', 'ffmpeg', 'libsrt', 'yt-dlp']),
  state: z.enum(['there', 'missing', 'unknown']),
  version: z.string(),
  lacks: z.array(z.enum(ffmpegEncoders)),
});
export type Tool = z.infer<typeof Tool>;

/** Size of the data directory, counted up to a limit; beyond it `atLeast` is true. */
export const DataUsage = z.object({
  path: z.string(),
  bytes: z.number(),
  atLeast: z.boolean(),
  /** Largest direct entries. */
  largest: z.array(z.object({ name: z.string(), bytes: z.number() })),
  measuredAt: z.string(),
  /** Settings file with its journal. */
  storeBytes: z.number(),
});
export type DataUsage = z.infer<typeof DataUsage>;

export const componentsApi = {
  query: post('/terraform/v1/mgmt/components/query', {
    summary: 'Get the processes, programs and files of this server',
    data: z.object({
      planes: z.array(Plane),
      /** Empty while all is well. */
      failedWorkers: z.array(FailedWorker),
      tools: z.array(Tool),
      dataUse: DataUsage,
      /** Built-in AI, which runs only while needed. */
      ai: LocalAiProcess.extend({ installed: z.boolean() }),
    }),
  }),
  restart: post('/terraform/v1/mgmt/components/restart', {
    summary:
      'Restart a process; restarting the engine interrupts all publishers and viewers, restarting the server does not',
    body: z.object({ name: PlaneName }),
    data: z.null(),
  }),
} as const;
