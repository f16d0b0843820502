import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const { signal } = new AbortController();

it('runs the jobs of several callers in turn', async () => {
  const queue = new FairQueue({ parallel: 1 });
  const order: string[] = [];
  let running = 0;
  const work = (name: string) => async () => {
    running += 1;
    expect(running).toBe(1);
    await turn();
    order.push(name);
    running -= 1;
  };
  await Promise.all([
    ...['a1', 'a2', 'a3'].map((name) => queue.run('a', signal, work(name))),
    ...['b1', 'b2'].map((name) => queue.run('b', signal, work(name))),
  ]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

it('refuses jobs beyond its limits, and continues after failed and aborted jobs', async () => {
  const queue = new FairQueue({ parallel: 1, mostPerCaller: 2, mostWaiting: 3 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const gone = new AbortController();
  const first = queue.run('a', signal, () => gate);
  const unwanted = queue.run('a', gone.signal, async () => expect.unreachable());
  const failing = queue.run('a', signal, () => Promise.reject(new Error('no')));
  expect(() => queue.run('a', signal, async () => 1)).toThrow('Too many');
  const other = queue.run('b', signal, async () => 2);
  expect(() => queue.run('c', signal, async () => 3)).toThrow('Too many');
  gone.abort(new Error('gone'));
  const ends = Promise.allSettled([first, unwanted, failing, other]);
  open();
  expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(await queue.run('c', signal, async () => 4)).toBe(4);
});
