import { expect, it, vi } from 'vitest';
import { FakeClock } from './clock.fixture.ts';
import { TtlCache } from './ttl-cache.ts';

it('queries once for all callers within a moment, and again afterwards, after a change and after a failure', async () => {
  const clock = new FakeClock();
  let count = 0;
  const ask = vi.fn(async () => ++count);
  const lately = new TtlCache(ask, 100, clock);
  expect(await Promise.all([lately.get(), lately.get(), lately.get()])).toEqual([1, 1, 1]);
  clock.pass(99);
  expect(await lately.get()).toBe(1);
  clock.pass(1);
  expect(await lately.get()).toBe(2);
  lately.forget();
  expect(await lately.get()).toBe(3);
  lately.forget();
  ask.mockRejectedValueOnce(new Error('away'));
  await expect(lately.get()).rejects.toThrow('away');
  expect(await lately.get()).toBe(4);
});
