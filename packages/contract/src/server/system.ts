import * as z from 'zod';
import { get, post } from '../endpoint.ts';
import { Alert } from './alerts.ts';
import { Diagnosis } from './diagnosis.ts';

const Version = z.object({ version: z.string() });

/** One port the engine listens on. `ready` is false while it can serve nobody, with the reason in `note`. */
export const Listener = z.object({
  protocol: z.enum(['http', 'https', 'rtmp', 'rtc', 'srt']),
  port: z.int(),
  ready: z.boolean(),
  note: z.enum(['no-certificate', 'port-taken', 'no-library', 'no-filter', 'unsupported', '']).default(''),
});
export type Listener = z.infer<typeof Listener>;

export const Health = z.object({
  store: z.object({ ok: z.boolean() }),
  engine: z.object({ ok: z.boolean(), startedAt: z.string().nullable(), listeners: z.array(Listener) }),
  disk: z.object({
    ok: z.boolean(),
    freeBytes: z.number(),
    totalBytes: z.number(),
    /** Until nothing is free, at the pace of the last days; absent: not known yet, or never. */
    fullInDays: z.number().optional(),
  }),
  certificate: z
    .object({
      subject: z.string(),
      issuer: z.string(),
      expireAt: z.string(),
      /** Its end is near and nothing has replaced it, or it has passed. */
      isEnding: z.boolean().default(false),
    })
    .nullable(),
});
export type Health = z.infer<typeof Health>;

/** What somebody new does, in this order. */
export const firstSteps = ['published', 'watched', 'forwarded', 'recorded'] as const;
export type FirstStep = (typeof firstSteps)[number];

/** Whether somebody has published and watched here, and whether streams are sent on and recorded. */
export const FirstSteps = z.object({
  published: z.boolean(),
  watched: z.boolean(),
  forwarded: z.boolean(),
  recorded: z.boolean(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

/** Servers on one store of which one leads: who that is, who would take over, and which of them was asked. */
export const Pair = z.object({
  asked: z.enum(['leader', 'standby']),
  leader: z.string(),
  /** Empty: nobody takes over. */
  standbys: z.array(z.string()),
  /** False: recordings, broadcasts and words of the time when another one led are on its disk. */
  filesShared: z.boolean(),
});
export type Pair = z.infer<typeof Pair>;

export const Status = z.object({
  version: z.string(),
  stable: z.string(),
  latest: z.string(),
  releases: z.object({ version: z.string(), stable: z.string(), latest: z.string() }),
  upgrading: z.boolean(),
  strategy: z.enum(['manual', 'auto']),
  /** An upgrade should happen now: it is to happen by itself, there is one, and its window is open. */
  upgradeDue: z.boolean().optional(),
  startedAt: z.string(),
  uptimeSeconds: z.int(),
  health: Health,
  alerts: z.array(Alert),
  /** Absent while the settings cannot be read. */
  steps: FirstSteps.optional(),
  /** Absent where this server is alone. */
  pair: Pair.optional(),
});
export type Status = z.infer<typeof Status>;

/**
 * What a media server may not be able to do: change how HLS is made, subtitles in its streams, measurements by the second, pictures
 * of streams, be restarted by us because it is a process of ours.
 */
const engineParts = ['hls-settings', 'subtitles', 'measurements', 'thumbnails', 'process'] as const;
export type EnginePart = (typeof engineParts)[number];

/** What the console must know before it can draw anything. Ports are the published ones; `httpPort` empty = the page's. */
export const Environment = z.object({
  mgmtDocker: z.boolean(),
  platformDocker: z.boolean(),
  candidate: z.boolean(),
  rtmpPort: z.string(),
  httpPort: z.string(),
  /** Of HTTPS, as this server listens; empty: the usual one. */
  httpsPort: z.string().optional(),
  srtPort: z.string(),
  /** Where RTMP and SRT are; absent: at the host of the page. */
  mediaHost: z.string().optional(),
  rtcPort: z.string(),
  /** WebRTC has so many ports, counted up from `rtcPort`; absent: one. */
  rtcWorkers: z.int().optional(),
  forwardLimit: z.int(),
  vLiveLimit: z.int(),
  cameraLimit: z.int(),
  /** What the media server cannot do; absent: nothing. */
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
