import { expect, it } from 'vitest';
import { Crowded, NewestFirstLane } from './newest-first-lane.ts';

it('runs few at once, newest first, and drops the oldest of too many', async () => {
  const lane = new NewestFirstLane({ width: 1, longest: 2 });
  const order: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const job = (name: string) => lane.run(async () => void order.push(name));
  const first = lane.run(() => gate);
  const dropped = expect(job('oldest')).rejects.toBeInstanceOf(Crowded);
  const rest = Promise.all([job('older'), job('newest')]);
  open();
  await Promise.all([first, rest, dropped]);
  expect(order).toEqual(['newest', 'older']);
});

it('goes on after a job fails', async () => {
  const lane = new NewestFirstLane({ width: 1, longest: 2 });
  await expect(lane.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await lane.run(async () => 'fine')).toBe('fine');
});
