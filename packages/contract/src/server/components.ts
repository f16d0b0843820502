import * as z from 'zod';
import { LocalAiProcess } from '../ai/local-ai.ts';
import { post } from '../endpoint.ts';

/** The two processes the launcher keeps running: `engine` carries the media, `server` is this API and the console. */
export const planeNames = ['engine', 'server'] as const;
const PlaneName = z.enum(planeNames);
export type PlaneName = z.infer<typeof PlaneName>;

export const Plane = z.object({
  name: PlaneName,
  /** 0 while none runs. */
  pid: z.int(),
  ready: z.boolean(),
  startedAt: z.string(),
  uptimeSeconds: z.int(),
  /** Resident; null where the system does not tell. */
  memoryBytes: z.number().nullable(),
  /** Since the launcher started. */
  restarts: z.int(),
  /** How its last process ended. `reason` is what kept it from serving, empty when it had served. */
  lastExit: z
    .object({
      at: z.string(),
      wanted: z.boolean(),
      code: z.int().nullable(),
      signal: z.string().nullable(),
      reason: z.string(),
    })
    .nullable(),
});
export type Plane = z.infer<typeof Plane>;

/** Encoders that conversions need and not every build of ffmpeg has. */
export const ffmpegEncoders = ['libx264', 'libopus'] as const;

/** A program or library that parts of Weir need. `state` is `unknown` while nobody can be asked. */
export const Tool = z.object({
  name: z.enum(['node', 'ffmpeg', 'libsrt', 'yt-dlp']),
  state: z.enum(['there', 'missing', 'unknown']),
  version: z.string(),
  lacks: z.array(z.enum(ffmpegEncoders)),
});
export type Tool = z.infer<typeof Tool>;

/** What the data directory takes. Counted up to a limit; beyond it `atLeast` is true. */
export const DataUsage = z.object({
  path: z.string(),
  bytes: z.number(),
  atLeast: z.boolean(),
  /** The largest entries right below it. */
  largest: z.array(z.object({ name: z.string(), bytes: z.number() })),
  measuredAt: z.string(),
  /** The settings file with its journal. */
  storeBytes: z.number(),
});
export type DataUsage = z.infer<typeof DataUsage>;

export const componentsApi = {
  query: post('/terraform/v1/mgmt/components/query', {
    summary: 'Get the processes, programs and files of this server',
    data: z.object({
      planes: z.array(Plane),
      tools: z.array(Tool),
      dataUse: DataUsage,
      /** Built-in AI, which runs only while it is needed. */
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
