import type { Rule, ServerSeen } from '../rule.ts';
import { mean } from '../sample-view.ts';

const dayMs = 24 * 3600_000;
const gigabyte = 1e9;

/** What the machine has left. */
export const machineRules: readonly Rule<ServerSeen>[] = [
  {
    id: 'cpu-full',
    find({ samples }) {
      const shares = samples.last('cpu', 30);
      const percent = mean(shares) * 100;
      if (shares.length < 30 || percent < 90) return undefined;
      return { severity: percent > 97 ? 'bad' : 'warn', sinceMs: samples.agoMs(30), numbers: { percent } };
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
    // Something was written down in the future: the clock was wrong then, or is now.
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
