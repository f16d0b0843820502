import { describe, expect, it } from 'vitest';
import { Mutex } from './mutex.ts';

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: () => promise, resolve, reject };
}

describe('Mutex', () => {
  it('starts the second job when the first has ended', async () => {
    const turns = new Mutex();
    const first = held();
    const seen: string[] = [];
    const one = turns.take(first.work).then((word) => seen.push(word));
    const two = turns.take(async () => seen.push('second'));
    await new Promise(setImmediate);
    expect(seen).toEqual([]);
    first.resolve('first');
    await Promise.all([one, two]);
    expect(seen).toEqual(['first', 'second']);
  });

  it('continues after a job that failed, and reports the failure to its caller only', async () => {
    const turns = new Mutex();
    const failing = turns.take(async () => Promise.reject(new Error('no')));
    const next = turns.take(async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('runs jobs of different names at the same time', async () => {
    const turns = new Mutex();
    const slow = held();
    const one = turns.take(slow.work, 'one');
    expect(await turns.take(async () => 'other', 'two')).toBe('other');
    slow.resolve('slow');
    expect(await one).toBe('slow');
  });
});
