import type { ProcessReport, ProcessState } from '@weir/contract';
import { expect, it } from 'vitest';
import { outputAlert, patienceMs } from './output-alert.ts';

const nowMs = Date.parse('2026-01-01T12:00:00.000Z');
const ago = (ms: number) => new Date(nowMs - ms).toISOString();

function report(state: ProcessState, since: string): ProcessReport {
  const failure = { cause: 'key-refused', detail: 'NetStream.Publish.Denied', at: since } as const;
  return { state, since, failures: 2, starts: 3, failure, nextTry: '', lastExit: null, numbers: null };
}

const alertOf = (state: ProcessState, forMs: number) =>
  outputAlert({ tab: 'forward', platform: 'wx', label: 'Sunday', process: report(state, ago(forMs)) }, nowMs);

it('raises an alert at once for a failing output, with what, since when, why and where to fix it', () => {
  expect(alertOf('failing', 0)).toEqual([
    {
      kind: 'output',
      severity: 'bad',
      since: ago(0),
      count: 1,
      subject: 'wx',
      label: 'Sunday',
      cause: 'key-refused',
      place: { page: 'scenario', tab: 'forward', child: '' },
    },
  ]);
});

it('raises an alert for a reconnecting output only when that takes long', () => {
  expect(alertOf('reconnecting', patienceMs - 1)).toEqual([]);
  expect(alertOf('reconnecting', patienceMs)).toMatchObject([{ severity: 'warn' }]);
});

it.each(['off', 'waiting', 'starting', 'live', 'stopping'] as const)(
  'raises no alert for an output that is %s',
  (state) => {
    expect(alertOf(state, 3600_000)).toEqual([]);
  },
);
