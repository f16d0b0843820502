import type { BackupSettings } from '@weir/contract';

type Schedule = Pick<BackupSettings, 'schedule' | 'weekday' | 'time'>;

const weekDays = 7;

/** First time of the schedule after a moment, in the server's time zone; undefined without a schedule. */
export function nextBackup({ schedule, weekday, time }: Schedule, afterMs: number): number | undefined {
  if (schedule === 'off') return undefined;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const at = new Date(afterMs);
  // A time that a change of clocks leaves out is an hour later that day.
  for (let day = 0; day <= weekDays; day++) {
    const next = new Date(at.getFullYear(), at.getMonth(), at.getDate() + day, hours, minutes);
    if (next.getTime() > afterMs && (schedule === 'daily' || next.getDay() === weekday)) return next.getTime();
  }
  return undefined;
}

/** What is remembered of scheduled backups. */
interface BackupProgress {
  /** Last success, or when the schedule was set. */
  readonly sinceMs: number;
  /** Failures in a row, and the last of them. */
  readonly failures: number;
  readonly failedAtMs: number;
}

const retryMs = 15 * 60_000;

/** When the next backup is due: missed ones at once, failed ones again after a while. */
export function dueBackup(schedule: Schedule, progress: BackupProgress, nowMs: number): number | undefined {
  // A clock that was ahead must not keep backups away.
  const next = nextBackup(schedule, Math.min(progress.sinceMs, nowMs));
  if (next === undefined || progress.failures === 0) return next;
  return Math.max(next, Math.min(progress.failedAtMs, nowMs) + retryMs);
}
