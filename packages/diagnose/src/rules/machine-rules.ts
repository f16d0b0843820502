import type { Finding, Rule, ServerSeen } from '../rule.ts';
import { mean, sum } from '../sample-view.ts';

const dayMs = 24 * 3600_000;
const gigabyte = 1e9;

/** Below this part of the load, what Weir uses is not what fills the CPU. */
const oursShare = 0.5;

/** Names the process that fills the CPU, with its percentage of all cores; no name where that is not known. */
function cpuUser(use: ServerSeen['facts']['cpuUse'], percent: number): Pick<Finding, 'subject' | 'numbers'> {
  const [largest] = use?.ours ?? [];
  if (!use || !largest) return { numbers: { percent } };
  const ours = sum(use.ours.map(({ share }) => share));
  if (ours < use.all * oursShare) return { subject: 'elsewhere', numbers: { percent, used: ours * 100 } };
  return { subject: largest.user, numbers: { percent, used: largest.share * 100 } };
}

/** Rules about the free resources of the machine. */
export const machineRules: readonly Rule<ServerSeen>[] = [
  {
    id: 'cpu-full',
    find({ samples, facts: { cpuUse } }) {
      const shares = samples.last('cpu', 30);
      const percent = mean(shares) * 100;
      if (shares.length < 30 || percent < 90) return undefined;
      const severity = percent > 97 ? 'bad' : 'warn';
      return { severity, sinceMs: samples.agoMs(30), ...cpuUser(cpuUse, percent) };
    },
  },
  {
    id: 'memory-full',
    find({ samples }) {
      const sinceMs = samples.held('memory', 10, (share) => share > 0.92);
      if (sinceMs === undefined) return undefined;
      return { severity: 'warn', sinceMs, numbers: { percent: mean(samples.last('memory', 10)) * 100 } };
    },
  },
  {
    id: 'disk-full',
    find({ facts: { nowMs, health } }) {
      const { ok, freeBytes, totalBytes } = health.disk;
      if (ok || totalBytes === 0) return undefined;
      return { severity: 'bad', sinceMs: nowMs, numbers: { gigabytes: freeBytes / gigabyte } };
    },
  },
  {
    id: 'disk-filling',
    find({ facts: { nowMs, health, diskBytesPerDay = 0 } }) {
      if (!health.disk.ok || diskBytesPerDay <= 0) return undefined;
      const days = health.disk.freeBytes / diskBytesPerDay;
      if (days > 7) return undefined;
      return { severity: 'warn', sinceMs: nowMs, numbers: { days, gigabytes: health.disk.freeBytes / gigabyte } };
    },
  },
  {
    id: 'open-files',
    find({ facts: { nowMs, openFiles } }) {
      if (!openFiles || openFiles.most <= 0 || openFiles.used < openFiles.most * 0.8) return undefined;
      return { severity: 'warn', sinceMs: nowMs, numbers: { ...openFiles } };
    },
  },
  {
    // A stored time is in the future: the clock was wrong then, or is now.
    id: 'clock-wrong',
    find({ facts: { nowMs, newestKeptMs } }) {
      if (newestKeptMs - nowMs < 5 * 60_000) return undefined;
      return { severity: 'warn', sinceMs: nowMs, numbers: { hours: (newestKeptMs - nowMs) / 3600_000 } };
    },
  },
  {
    id: 'ffmpeg-missing',
    find: ({ facts: { nowMs, ffmpeg } }) => (ffmpeg === 'missing' ? { severity: 'bad', sinceMs: nowMs } : undefined),
  },
  {
    id: 'certificate-expires',
    find({ facts: { nowMs, health, isHttpsElsewhere } }) {
      const { certificate } = health;
      if (isHttpsElsewhere || !certificate?.isEnding) return undefined;
      const leftMs = Date.parse(certificate.expireAt) - nowMs;
      const numbers = { days: Math.max(0, Math.floor(leftMs / dayMs)) };
      return { severity: leftMs <= 0 ? 'bad' : 'warn', sinceMs: nowMs, numbers };
    },
  },
];
