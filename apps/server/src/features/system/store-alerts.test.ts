import type { StoreFault } from '@weir/contract';
import { expect, it } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { StoreAlerts } from './store-alerts.ts';

it('reports a problem of the settings store for as long as it lasts, with one start time', async () => {
  let risks: StoreFault[] = ['appendfsync'];
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const store = Object.assign(new MemoryStore(), { risks: async () => risks });
  const alerts = new StoreAlerts({ store, clock: { ...systemClock, dateMs: () => nowMs } });
  expect(await alerts.look(true)).toMatchObject([{ kind: 'store', severity: 'warn', cause: 'appendfsync' }]);
  nowMs += 60_000;
  expect(await alerts.look(true)).toMatchObject([{ since: '2026-01-01T00:00:00.000Z' }]);
  expect(await alerts.look(false)).toMatchObject([
    { severity: 'bad', cause: 'away', since: '2026-01-01T00:01:00.000Z' },
  ]);
  risks = [];
  expect(await alerts.look(true)).toEqual([]);
});

it('reports nothing about a store that keeps what it confirms', async () => {
  expect(await new StoreAlerts({ store: new MemoryStore(), clock: systemClock }).look(true)).toEqual([]);
});
