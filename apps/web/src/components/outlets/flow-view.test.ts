import type { ProcessReport } from '@weir/contract';
import { expect, it } from 'vitest';
import { isTroubled, summariseRows } from './flow-view.ts';

const numbers = { fps: 25, kbps: 4000, speed: 1, droppedFrames: 0, mediaMs: 60_000 };
const live: ProcessReport = {
  state: 'live',
  since: '2026-01-01T00:00:00Z',
  failures: 0,
  starts: 1,
  failure: null,
  nextTry: '',
  lastExit: null,
  numbers,
};
const failure = { cause: 'key-refused', detail: '', at: live.since } as const;

it('opens a row with a problem that is not over', () => {
  expect(isTroubled({ ...live, state: 'failing', failure })).toBe(true);
  expect(isTroubled({ ...live, state: 'live', failure })).toBe(false);
  expect(isTroubled({ ...live, state: 'off', failure })).toBe(false);
});

it.each([
  [[], { kind: 'none', tone: 'off', count: 0, total: 0 }],
  [['off', 'off'], { kind: 'off', tone: 'off', count: 2, total: 2 }],
  [['off', 'live', 'failing', 'failing'], { kind: 'failing', tone: 'bad', count: 2, total: 4 }],
  [['starting', 'waiting'], { kind: 'waiting', tone: 'busy', count: 2, total: 2 }],
  [['live', 'off'], { kind: 'live', tone: 'ok', count: 1, total: 2 }],
] as const)('sums up %j, worst first', (states, summary) => {
  expect(summariseRows(states.map((state) => ({ process: { ...live, state } })))).toEqual(summary);
});
