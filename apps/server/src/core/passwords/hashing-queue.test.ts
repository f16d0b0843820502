import { expect, it } from 'vitest';
import { HashingOverload, HashingQueue } from './hashing-queue.ts';

it('runs few jobs at once: known callers first, then the newest, and drops the oldest of too many', async () => {
  const queue = new HashingQueue({ width: 1, longest: 2 });
  const order: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const job = (name: string, isKnown = false) => queue.run(async () => void order.push(name), { isKnown });
  const first = queue.run(() => gate, { isKnown: false });
  const dropped = expect(job('oldest')).rejects.toBeInstanceOf(HashingOverload);
  const rest = Promise.all([job('known', true), job('older'), job('newest')]);
  open();
  await Promise.all([first, rest, dropped]);
  expect(order).toEqual(['known', 'newest', 'older']);
});

it('continues after a job fails', async () => {
  const queue = new HashingQueue({ width: 1, longest: 2 });
  await expect(queue.run(() => Promise.reject(new Error('broken')), { isKnown: true })).rejects.toThrow('broken');
  expect(await queue.run(async () => 'fine', { isKnown: false })).toBe('fine');
});
