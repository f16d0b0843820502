import { limits } from '@weir/contract';
import { expect, it } from 'vitest';
import { FakeClock } from '../../core/clock.fixture.ts';
import type { RefusedPublish } from '../../core/events.ts';
import { PublishAttempts } from './publish-attempts.ts';

function refused(facts: Partial<RefusedPublish> = {}): RefusedPublish {
  return {
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'show',
    protocol: 'rtmp',
    address: '198.51.100.7',
    reason: 'secret-wrong',
    ...facts,
  };
}

it('keeps few attempts, the newest first, however many come', () => {
  const attempts = new PublishAttempts(new FakeClock());
  for (let number = 0; number < 1000; number += 1) attempts.add(refused({ stream: `s${number}` }));
  const streams = attempts.list().map(({ stream }) => stream);
  expect(streams).toHaveLength(limits.publishAttempts);
  expect(streams[0]).toBe('s999');
});

it('counts the retries of an encoder, and moves it to the front', () => {
  const attempts = new PublishAttempts(new FakeClock());
  attempts.add(refused());
  attempts.add(refused({ address: '192.0.2.1' }));
  attempts.add(refused());
  expect(attempts.list()).toMatchObject([
    { address: '198.51.100.7', count: 2 },
    { address: '192.0.2.1', count: 1 },
  ]);
});

it('drops old attempts, and those for a stream that was accepted', () => {
  const clock = new FakeClock();
  const attempts = new PublishAttempts(clock);
  attempts.add(refused());
  attempts.add(refused({ stream: 'other' }));
  attempts.add(refused({ vhost: 'studio' }));
  attempts.forget(refused());
  expect(attempts.list().map(({ vhost, stream }) => `${vhost} ${stream}`)).toEqual([
    'studio show',
    '__defaultVhost__ other',
  ]);
  clock.pass(limits.publishAttemptsMs + 1);
  expect(attempts.list()).toEqual([]);
});
