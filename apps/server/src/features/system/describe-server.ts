import { availableParallelism, totalmem, uptime } from 'node:os';
import type { Alert, Diagnosis, Health, Tool } from '@weir/contract';

interface Seen {
  readonly health: Health;
  readonly alerts: readonly Alert[];
  readonly diagnosis: Diagnosis;
  readonly ffmpeg: Tool;
}

/** The machine and how it is, for a stranger who reads a report: no names, no addresses. */
export function describeServer({ health, alerts, diagnosis, ffmpeg }: Seen): Record<string, unknown> {
  const { store, engine, disk } = health;
  const { state, version, lacks } = ffmpeg;
  return {
    machine: { cores: availableParallelism(), memoryBytes: totalmem(), upSeconds: Math.round(uptime()) },
    process: { upSeconds: Math.round(process.uptime()), memoryBytes: process.memoryUsage.rss() },
    ffmpeg: { state, version, lacks },
    health: {
      store: store.ok,
      disk,
      engine: { ok: engine.ok, startedAt: engine.startedAt, listeners: engine.listeners },
    },
    diagnosis,
    alerts: alerts.map(({ kind, severity, since, count, cause, subject }) => ({
      kind,
      severity,
      since,
      count,
      cause,
      subject,
    })),
  };
}
