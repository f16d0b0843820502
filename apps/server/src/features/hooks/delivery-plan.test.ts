import { type HookDelivery, hookLimits } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { afterTry } from './delivery-plan.ts';
import { hookMessage } from './hook-message.ts';
import { newDelivery } from './hooks-service.ts';

const nowMs = Date.parse('2026-01-02T00:00:00.000Z');
const message = hookMessage('on_unpublish', { app: 'live', stream: 'show' });
const delivery: HookDelivery = newDelivery(message, new Date(nowMs).toISOString());
const tried = {
  req: '{"n":1}',
  res: '',
  status: 0,
  failure: 'timeout' as const,
  fact: '4.5',
  said: '',
  error: 'away',
  tookMs: 7,
  triedAt: '2026-01-02T00:00:00.000Z',
};

describe('a callback delivery', () => {
  it('is done once it was accepted', () => {
    const next = afterTry(delivery, { ...tried, status: 200, error: '', outcome: 'delivered' }, nowMs);
    expect(next).toMatchObject({ state: 'delivered', attempts: 1, nextAt: '', req: '{"n":1}', tookMs: 7 });
  });

  it.each([
    [0, 1],
    [1, 2],
    [4, 16],
    [5, 30],
    [500, 30],
  ])('waits after %i earlier tries for %i s', (attempts, seconds) => {
    const next = afterTry({ ...delivery, attempts }, { ...tried, outcome: 'failed' }, nowMs);
    expect(next).toMatchObject({ state: 'waiting', error: 'away', attempts: attempts + 1 });
    expect(Date.parse(next.nextAt) - nowMs).toBe(seconds * 1000);
  });

  it('is given up when the receiver keeps refusing, or is away for too long', () => {
    const often = { ...delivery, attempts: hookLimits.refusals - 1 };
    expect(afterTry(often, { ...tried, outcome: 'refused' }, nowMs)).toMatchObject({ state: 'refused', nextAt: '' });
    expect(afterTry(often, { ...tried, outcome: 'failed' }, nowMs)).toMatchObject({ state: 'waiting' });
    const late = nowMs + hookLimits.waitingMs;
    expect(afterTry(delivery, { ...tried, outcome: 'failed' }, late)).toMatchObject({ state: 'failed', nextAt: '' });
  });

  it('does not count a try that was cut off by the end of the server', () => {
    expect(afterTry(delivery, { ...tried, outcome: 'stopped' }, nowMs)).toEqual(delivery);
  });
});
