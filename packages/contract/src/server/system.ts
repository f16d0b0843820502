import { listenerNotes, listenerProtocols } from '@weir/streams';
import * as z from 'zod';
import { get, post } from '../endpoint.ts';
import { Alert } from './alerts.ts';
import { Diagnosis } from './diagnosis.ts';

const Version = z.object({ version: z.string() });

/** Port of the engine. `note` explains why `ready` is false. */
export const Listener = z.object({
  protocol: z.enum(listenerProtocols),
  port: z.int(),
  ready: z.boolean(),
  note: z.enum(listenerNotes).default(''),
});
export type Listener = z.infer<typeof Listener>;

export const Health = z.object({
  store: z.object({ ok: z.boolean() }),
  engine: z.object({ ok: z.boolean(), startedAt: z.string().nullable(), listeners: z.array(Listener) }),
  disk: z.object({
    ok: z.boolean(),
    freeBytes: z.number(),
    totalBytes: z.number(),
    /** Days until the disk is full at the rate of the last days; absent if unknown or never. */
    fullInDays: z.number().optional(),
  }),
  certificate: z
    .object({
      subject: z.string(),
      issuer: z.string(),
      expireAt: z.string(),
      /** Expires soon without a replacement, or has expired. */
      isEnding: z.boolean().default(false),
    })
    .nullable(),
});
export type Health = z.infer<typeof Health>;

/** First steps of a new user, in order. */
export const firstSteps = ['published', 'watched', 'forwarded', 'recorded'] as const;
export type FirstStep = (typeof firstSteps)[number];

/** Completed first steps: published and watched at least once, forwarding and recording enabled. */
export const FirstSteps = z.object({
  published: z.boolean(),
  watched: z.boolean(),
  forwarded: z.boolean(),
  recorded: z.boolean(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

/** High-availability pair on one store: leader, standbys, and which one answered. */
export const Pair = z.object({
  asked: z.enum(['leader', 'standby']),
  leader: z.string(),
  /** Empty if no server can take over. */
  standbys: z.array(z.string()),
  /** False if recordings, broadcasts and transcripts of another leader are on its own disk. */
  filesShared: z.boolean(),
});
export type Pair = z.infer<typeof Pair>;

/**
 * State of a feature as a whole, worst first but for `idle`: set up, but off or waiting. A feature that is not set up has none.
 */
const activities = ['failing', 'degraded', 'running', 'idle'] as const;
export type Activity = (typeof activities)[number];

export const Status = z.object({
  version: z.string(),
  stable: z.string(),
  latest: z.string(),
  releases: z.object({ version: z.string(), stable: z.string(), latest: z.string() }),
  upgrading: z.boolean(),
  strategy: z.enum(['manual', 'auto']),
  /** An automatic upgrade is due: enabled, available and within its window. */
  upgradeDue: z.boolean().optional(),
  startedAt: z.string(),
  uptimeSeconds: z.int(),
  health: Health,
  alerts: z.array(Alert),
  /** By tab of the console. */
  activity: z.record(z.string(), z.enum(activities)).optional(),
  /** Absent while the settings cannot be read. */
  steps: FirstSteps.optional(),
  /** Absent for a single server. */
  pair: Pair.optional(),
});
export type Status = z.infer<typeof Status>;

/** Optional parts of a media server: HLS settings, subtitles, per-second measurements, thumbnails, and restarts by the launcher. */
const engineParts = [
  'hls-settings',
  'subtitles',
  'measurements',
  'thumbnails',
  'process',
  'programs',
  'access',
  'ladders',
  'rewind',
] as const;
export type EnginePart = (typeof engineParts)[number];

/** Environment that the console needs before its first render. Ports are the published ones; an empty `httpPort` means the page's. */
export const Environment = z.object({
  mgmtDocker: z.boolean(),
  platformDocker: z.boolean(),
  candidate: z.boolean(),
  rtmpPort: z.string(),
  httpPort: z.string(),
  /** HTTPS port of this server; empty for the default. */
  httpsPort: z.string().optional(),
  srtPort: z.string(),
  /** Host of RTMP and SRT; absent if it is the page's host. */
  mediaHost: z.string().optional(),
  rtcPort: z.string(),
  /** Number of WebRTC ports, counted up from `rtcPort`; absent means one. */
  rtcWorkers: z.int().optional(),
  forwardLimit: z.int(),
  vLiveLimit: z.int(),
  cameraLimit: z.int(),
  /** A demonstration: everybody may sign in, nobody can change anything. */
  isDemo: z.boolean().optional(),
  /** Missing parts of the media server; absent means none. */
  engineLacks: z.array(z.enum(engineParts)).optional(),
});
export type Environment = z.infer<typeof Environment>;

const versions = (path: string) =>
  get(path, { summary: 'Get the version of this server, without a leading v', access: 'public', data: Version });

export const systemApi = {
  versions: versions('/terraform/v1/mgmt/versions'),
  hostVersions: versions('/terraform/v1/host/versions'),
  ffmpegVersions: versions('/terraform/v1/ffmpeg/versions'),
  hooksVersions: versions('/terraform/v1/hooks/versions'),
  tencentVersions: versions('/terraform/v1/tencent/versions'),
  releases: get('/terraform/v1/releases', {
    summary: 'Get known releases',
    access: 'public',
    data: z.object({ stable: z.string(), latest: z.string() }),
  }),
  check: get('/terraform/v1/mgmt/check', {
    summary: 'Check readiness; fails with 1007 while settings cannot be read',
    access: 'public',
    data: z.object({ upgrading: z.boolean(), init: z.boolean() }),
  }),
  lead: get('/terraform/v1/mgmt/lead', {
    summary: 'Check that this server leads; in a pair with shared settings, the server on standby fails with 1007',
    access: 'public',
    data: z.null(),
  }),
  status: post('/terraform/v1/mgmt/status', { summary: 'Get the status of this server', data: Status }),
  diagnosis: post('/terraform/v1/mgmt/server/diagnosis', {
    summary: 'Get the issues of this server, with the numbers behind each',
    data: Diagnosis,
  }),
  envs: post('/terraform/v1/mgmt/envs', {
    summary: 'Get ports and destination limits',
    access: 'public',
    body: z.object({ locale: z.string().max(16).default('') }),
    data: Environment,
  }),
} as const;
