import { describe, expect, it } from 'vitest';
import { Mutex } from './mutex.ts';

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: () => promise, resolve, reject };
}

describe('turns', () => {
  it('begin the second piece of work when the first has ended', async () => {
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

  it('go on after one that failed, which only its own caller hears of', async () => {
    const turns = new Mutex();
    const failing = turns.take(async () => Promise.reject(new Error('no')));
    const next = turns.take(async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  it('let lines of different names pass each other', async () => {
    const turns = new Mutex();
    const slow = held();
    const one = turns.take(slow.work, 'one');
    expect(await turns.take(async () => 'other', 'two')).toBe('other');
    slow.resolve('slow');
    expect(await one).toBe('slow');
  });
});
