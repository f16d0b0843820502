import { expect, it } from 'vitest';
import { dueBackup, nextBackup } from './backup-schedule.ts';

/** Local times, as the schedule has them. */
const at = (text: string) => new Date(text).getTime();
const daily = { schedule: 'daily', weekday: 0, time: '03:30' } as const;
const weekly = { schedule: 'weekly', weekday: 3, time: '23:00' } as const;

it.each([
  [daily, '2026-03-04T03:29:59', '2026-03-04T03:30:00'],
  [daily, '2026-03-04T03:30:00', '2026-03-05T03:30:00'],
  [daily, '2026-12-31T20:00:00', '2027-01-01T03:30:00'],
  // 4 March 2026 is a Wednesday.
  [weekly, '2026-03-04T22:00:00', '2026-03-04T23:00:00'],
  [weekly, '2026-03-04T23:00:00', '2026-03-11T23:00:00'],
  [weekly, '2026-03-05T00:00:00', '2026-03-11T23:00:00'],
])('finds for %j after %s the time %s', (schedule, after, next) =>
  expect(nextBackup(schedule, at(after))).toBe(at(next)),
);

const now = at('2026-03-04T12:00:00');
const none = { sinceMs: now, failures: 0, failedAtMs: 0 };

it('makes up for a missed backup at once, tries a failed one again after a quarter of an hour, and survives a clock that was ahead', () => {
  expect(dueBackup({ ...daily, schedule: 'off' }, none, now)).toBeUndefined();
  expect(dueBackup(daily, none, now)).toBe(at('2026-03-05T03:30:00'));
  expect(dueBackup(daily, { ...none, sinceMs: at('2026-03-01T12:00:00') }, now)).toBeLessThan(now);
  const failed = { sinceMs: at('2026-03-03T12:00:00'), failures: 2, failedAtMs: now - 60_000 };
  expect(dueBackup(daily, failed, now)).toBe(now + 14 * 60_000);
  expect(dueBackup(daily, { ...none, sinceMs: at('2036-01-01T00:00:00') }, now)).toBe(at('2026-03-05T03:30:00'));
});
