import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

/** Work that says when it begins and ends when it is told to. */
function pieces(few: Semaphore) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const start = (name: string) =>
    few.run(async () => {
      begun.push(name);
      await new Promise<void>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve())));
      return name;
    });
  return { begun, start, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

describe('Semaphore', () => {
  it('starts the next job in order when one has ended or failed', async () => {
    const { begun, start, end } = pieces(new Semaphore({ atOnce: 2, waiting: 5, refusal: 'busy' }));
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(start);
    expect(begun).toEqual(['a', 'b']);
    end('b', new Error('no'));
    await expect(b).rejects.toThrow('no');
    expect(begun).toEqual(['a', 'b', 'c']);
    end('a');
    expect(await a).toBe('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    end('c');
    end('d');
    expect(await Promise.all([c, d])).toEqual(['c', 'd']);
  });

  it('never exceeds its limit, even when a caller arrives at the moment a place is free', async () => {
    const { begun, start, end } = pieces(new Semaphore({ atOnce: 1, waiting: 5, refusal: 'busy' }));
    const first = start('first');
    const second = start('second');
    const late = first.then(() => start('late'));
    end('first');
    await first;
    await new Promise(setImmediate);
    expect(begun).toEqual(['first', 'second']);
    end('second');
    await second;
    await expect.poll(() => begun).toEqual(['first', 'second', 'late']);
    end('late');
    await late;
  });

  it('refuses callers when its queue is full', async () => {
    const { start, end } = pieces(new Semaphore({ atOnce: 1, waiting: 1, refusal: 'too many, try again' }));
    const first = start('first');
    const second = start('second');
    await expect(start('third')).rejects.toThrow('too many, try again');
    end('first');
    await first;
    end('second');
    expect(await second).toBe('second');
  });
});
