import { type ProcessState, processCauses } from '@weir/contract';
import type { FailureCause, Observed } from '@weir/process';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { processReport, runFields } from './process-report.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

function observed(facts: Partial<Observed> = {}): Observed {
  return {
    phase: 'idle',
    since: at(1),
    pid: undefined,
    startedAt: undefined,
    readyAt: undefined,
    progress: undefined,
    failures: 0,
    failingSince: undefined,
    starts: 1,
    wasLive: false,
    failure: undefined,
    lastExit: { at: at(4).toISOString(), wanted: false, code: 1, signal: null, reason: 'Connection refused' },
    nextTryAt: undefined,
    lines: [],
    ...facts,
  };
}

const failure = { cause: 'connection-refused' as const, detail: 'Connection refused', at: at(5) };
const progress = {
  fps: 25,
  kbps: 800,
  speed: 1,
  droppedFrames: 0,
  mediaMs: 1000,
  log: 'frame=25 time=00:00:01.00 speed=1x',
  at: at(7),
};
const on = { isOn: true, hasSource: true };
const off = { isOn: false, hasSource: true };
const sourceless = { isOn: true, hasSource: false };

describe('processReport', () => {
  const table: [ProcessState, string, typeof on, Observed | undefined][] = [
    ['off', 'never started', off, undefined],
    ['off', 'ended long ago', off, observed()],
    ['off', 'switched off while it backed off', off, observed({ phase: 'backing-off', failures: 2 })],
    ['stopping', 'switched off and not gone yet', off, observed({ phase: 'stopping' })],
    ['stopping', 'switched off a moment ago', off, observed({ phase: 'running' })],
    ['waiting', 'on, and nobody publishes', sourceless, undefined],
    ['waiting', 'its publisher has just left', sourceless, observed({ phase: 'stopping', wasLive: true })],
    ['waiting', 'it failed before its publisher disconnected', sourceless, observed({ phase: 'idle', failure })],
    ['starting', 'not planned yet', on, undefined],
    ['starting', 'connecting', on, observed({ phase: 'starting' })],
    ['starting', 'being replaced', on, observed({ phase: 'stopping', wasLive: true })],
    ['live', 'clock moves', on, observed({ phase: 'running', wasLive: true, readyAt: at(2) })],
    ['live', 'again, after failures', on, observed({ phase: 'running', wasLive: true, failures: 2, failure })],
    ['reconnecting', 'lost', on, observed({ phase: 'backing-off', wasLive: true, failures: 1, failure })],
    ['reconnecting', 'being tried again', on, observed({ phase: 'starting', wasLive: true, failures: 5, failure })],
    ['failing', 'lost for long', on, observed({ phase: 'backing-off', wasLive: true, failures: 6, failure })],
    ['failing', 'never was live', on, observed({ phase: 'backing-off', failures: 1, failure })],
    ['failing', 'never was live, tried again', on, observed({ phase: 'starting', failures: 9, failure })],
  ];
  it.each(table)('is %s: %s', (state, _case, wanted, seen) => {
    expect(processReport(wanted, seen).state).toBe(state);
  });

  it('reports the facts, with times as text and the time of the state rather than of the try', () => {
    const seen = observed({
      phase: 'backing-off',
      since: at(9),
      failures: 3,
      starts: 4,
      wasLive: true,
      failure,
      failingSince: at(4),
      nextTryAt: at(10),
      progress,
    });
    expect(processReport(on, seen)).toEqual({
      state: 'reconnecting',
      since: '2026-01-01T00:04:00.000Z',
      failures: 3,
      starts: 4,
      failure: { ...failure, at: '2026-01-01T00:05:00.000Z' },
      nextTry: '2026-01-01T00:10:00.000Z',
      lastExit: {
        at: '2026-01-01T00:04:00.000Z',
        wanted: false,
        code: 1,
        signal: null,
        reason: 'Connection refused',
      },
      numbers: null,
    });
    const live = processReport(on, observed({ phase: 'running', readyAt: at(3), progress }));
    expect(live).toMatchObject({ since: '2026-01-01T00:03:00.000Z', failure: null });
    expect(live.numbers).toEqual({ fps: 25, kbps: 800, speed: 1, droppedFrames: 0, mediaMs: 1000 });
  });

  it('reports no earlier failure while the process is off', () => {
    expect(processReport(off, observed({ failure, nextTryAt: at(3) }))).toMatchObject({ failure: null, nextTry: '' });
  });

  it('has a cause in the contract for each cause of a program', () => {
    expectTypeOf<FailureCause>().toEqualTypeOf<(typeof processCauses)[number]>();
    expect(new Set(processCauses).size).toBe(processCauses.length);
  });
});

describe('runFields', () => {
  it('has the frame count once there is one, and nothing while nothing runs', () => {
    expect(runFields(undefined)).toEqual({});
    expect(runFields(observed({ progress }))).toEqual({});
    expect(runFields(observed({ startedAt: at(1) }))).toEqual({ start: '2026-01-01T00:01:00.000Z', ready: '' });
    expect(runFields(observed({ startedAt: at(1), readyAt: at(2), progress })).frame).toEqual({
      log: progress.log,
      update: '2026-01-01T00:07:00.000Z',
    });
  });
});
