import * as z from 'zod';
import { post } from '../endpoint.ts';

/** Checks that the server runs, in the order in which they are shown. */
export const doctorChecks = [
  'name',
  'listening',
  'rtmp',
  'srt',
  'candidate',
  'certificate',
  'clock',
  'zone',
  'disk',
  'speed',
  'ffmpeg',
  'encoder',
  'memory',
  'files',
] as const;
export type DoctorCheck = (typeof doctorChecks)[number];

/** Checks that only the browser of the visitor can run. */
export const browserChecks = ['http', 'https', 'rtcUdp', 'rtcTcp'] as const;
export type BrowserCheck = (typeof browserChecks)[number];

/** Results by check. Each has a sentence in the console's texts under `doctor`, which the command line reads as well. */
const doctorReasons = [
  'common.late',
  'common.failed',
  'name.none',
  'name.unresolved',
  'name.private',
  'name.elsewhere',
  'name.unreachable',
  'name.here',
  'listening.ok',
  'listening.failed',
  'listening.stopped',
  'rtmp.ok',
  'rtmp.local',
  'rtmp.hairpin',
  'rtmp.failed',
  'srt.ok',
  'srt.local',
  'srt.hairpin',
  'srt.failed',
  'candidate.set',
  'candidate.page',
  'candidate.own',
  'candidate.private',
  'candidate.container',
  'candidate.unresolved',
  'certificate.ok',
  'certificate.none',
  'certificate.selfSigned',
  'certificate.chain',
  'certificate.name',
  'certificate.ending',
  'certificate.expired',
  'certificate.untrusted',
  'certificate.elsewhere',
  'clock.ok',
  'clock.alone',
  'clock.differs',
  'clock.unsynchronised',
  'zone.ok',
  'zone.differs',
  'disk.ok',
  'disk.low',
  'disk.full',
  'speed.ok',
  'speed.slow',
  'speed.noRoom',
  'speed.unwritable',
  'ffmpeg.ok',
  'ffmpeg.missing',
  'ffmpeg.lacks',
  'encoder.hardware',
  'encoder.software',
  'encoder.none',
  'memory.ok',
  'memory.low',
  'files.ok',
  'files.low',
] as const;
export type DoctorReason = (typeof doctorReasons)[number];

/** `skipped`: does not apply here, or could not be found out. */
const doctorVerdicts = ['ok', 'warn', 'bad', 'skipped'] as const;
export type DoctorVerdict = (typeof doctorVerdicts)[number];

export const doctorLimits = {
  /** For one check. The test encode has more, because it waits for other encoders. */
  checkMs: 10_000,
  encoderMs: 45_000,
  /** Difference between two clocks from which tokens and recordings are affected. */
  clockMs: 5000,
  pollMs: 700,
} as const;

/** Result of one check. No field contains a secret. */
export const DoctorFinding = z.object({
  check: z.enum(doctorChecks),
  verdict: z.enum(doctorVerdicts),
  reason: z.enum(doctorReasons),
  /** Values in the sentence of the reason. */
  facts: z.record(z.string(), z.string()),
  /** Shell command that repairs it or shows more; empty if there is none. */
  command: z.string(),
  /** Tab of the system settings with the remedy; empty if there is none. */
  tab: z.string(),
  tookMs: z.int(),
});
export type DoctorFinding = z.infer<typeof DoctorFinding>;

const DoctorReport = z.object({
  /** Empty before the first run. */
  startedAt: z.string(),
  isRunning: z.boolean(),
  version: z.string(),
  findings: z.array(DoctorFinding),
  /** Permits the browser to test WebRTC for two minutes; empty where the media server has no such test. */
  rtcTicket: z.string(),
});
export type DoctorReport = z.infer<typeof DoctorReport>;

export const doctorApi = {
  run: post('/terraform/v1/mgmt/doctor/run', {
    summary: 'Start the checks of this server, or join those that are running',
    body: z.object({
      /** Public host name to check; empty means the one of the page. */
      name: z.string().trim().max(253).default(''),
      /** Clock and time zone of the browser. */
      nowMs: z.number().optional(),
      zone: z.string().max(64).default(''),
    }),
    data: DoctorReport,
  }),
  query: post('/terraform/v1/mgmt/doctor/query', {
    summary: 'Get the results of the latest checks so far',
    data: DoctorReport,
  }),
} as const;
