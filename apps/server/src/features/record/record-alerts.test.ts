import { expect, it } from 'vitest';
import { RecordingRow } from './library/recording-repository.ts';
import { recordAlerts } from './record-alerts.ts';

const nowMs = Date.parse('2026-01-03T00:00:00.000Z');
const hourMs = 3600_000;
const since = '2026-01-02T20:00:00.000Z';
const row = (facts: Partial<RecordingRow>) =>
  RecordingRow.parse({
    uuid: '8c9e2d0a-0000-4000-8000-000000000001',
    vhost: 'v',
    app: 'live',
    stream: 'show',
    state: 'done',
    updatedAtMs: nowMs,
    startedAtMs: nowMs - 2 * hourMs,
    endedAtMs: nowMs - hourMs,
    ...facts,
  });
const alertsOf = (rows: RecordingRow[], storage?: { since: string }) => recordAlerts({ rows, storage, nowMs });

it('raises no alert for healthy recordings', () => {
  const rows = [row({}), row({ state: 'recording', endedAtMs: 0 }), row({ state: 'finishing' })];
  expect(alertsOf(rows)).toEqual([]);
});

it('raises an alert when the disk is full, and no second one for what waits for space', () => {
  const waiting = row({ state: 'finishing', failure: 'no-space' });
  expect(alertsOf([waiting], { since })).toMatchObject([{ kind: 'record-storage', severity: 'bad', since }]);
  expect(alertsOf([waiting])).toMatchObject([{ kind: 'record-failed', severity: 'warn', cause: 'no-space' }]);
});

it('raises an alert for failed post-processing that names a single recording and counts several', () => {
  const failed = row({ state: 'failed', failure: 'copy' });
  expect(alertsOf([failed, row({})])).toEqual([
    {
      kind: 'record-failed',
      severity: 'bad',
      since: new Date(failed.endedAtMs).toISOString(),
      count: 1,
      subject: 'live/show',
      label: '',
      cause: 'copy',
      place: { page: 'scenario', tab: 'record', child: '' },
    },
  ]);
  const both = [failed, row({ state: 'copying', failure: 'disk', stream: 'other' })];
  expect(alertsOf(both)).toMatchObject([{ count: 2, subject: '', cause: '' }]);
});

it('raises an alert for lost segments during the recording and for a day after', () => {
  expect(alertsOf([row({ state: 'recording', endedAtMs: 0, lost: 2 })])).toMatchObject([
    { kind: 'record-lost', severity: 'warn', subject: 'live/show', count: 1 },
  ]);
  expect(alertsOf([row({ lost: 1, endedAtMs: nowMs - 23 * hourMs })])).toHaveLength(1);
  expect(alertsOf([row({ lost: 1, endedAtMs: nowMs - 25 * hourMs })])).toEqual([]);
});
