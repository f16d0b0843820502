import { limits } from '@weir/contract';
import { expect, it } from 'vitest';
import { FakeClock } from '../../core/clock.fixture.ts';
import { EndedStreams } from './ended-streams.ts';

const stream = (name: string) => ({
  vhost: 'v',
  app: 'live',
  stream: name,
  param: '',
  serverId: 's',
  clientId: 'c',
  publishedAt: '2026-01-01T11:13:28.000Z',
});
const clock = new FakeClock('2026-01-01T11:14:00.000Z');

it('reports when a stream began and ended until it is live again', () => {
  const ended = new EndedStreams(clock);
  ended.add(stream('show'));
  expect(ended.list()).toEqual([
    {
      vhost: 'v',
      app: 'live',
      stream: 'show',
      publishedAt: '2026-01-01T11:13:28.000Z',
      endedAt: '2026-01-01T11:14:00.000Z',
    },
  ]);
  ended.forget(stream('show'));
  expect(ended.list()).toEqual([]);
});

it('keeps the newest few', () => {
  const ended = new EndedStreams(clock);
  for (let number = 0; number <= limits.endedStreams; number++) ended.add(stream(`s${number}`));
  expect(ended.list()).toHaveLength(limits.endedStreams);
  expect(ended.list()[0]?.stream).toBe(`s${limits.endedStreams}`);
});
