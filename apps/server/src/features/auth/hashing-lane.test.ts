import { expect, it } from 'vitest';
import { Crowded, HashingLane } from './hashing-lane.ts';

it('runs few at once: known callers first, then the newest, and drops the oldest of too many', async () => {
  const lane = new HashingLane({ width: 1, longest: 2 });
  const order: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const job = (name: string, isKnown = false) => lane.run(async () => void order.push(name), { isKnown });
  const first = lane.run(() => gate, { isKnown: false });
  const dropped = expect(job('oldest')).rejects.toBeInstanceOf(Crowded);
  const rest = Promise.all([job('known', true), job('older'), job('newest')]);
  open();
  await Promise.all([first, rest, dropped]);
  expect(order).toEqual(['known', 'newest', 'older']);
});

it('goes on after a job fails', async () => {
  const lane = new HashingLane({ width: 1, longest: 2 });
  await expect(lane.run(() => Promise.reject(new Error('broken')), { isKnown: true })).rejects.toThrow('broken');
  expect(await lane.run(async () => 'fine', { isKnown: false })).toBe('fine');
});
