import type { PublishAttempt } from '@weir/contract';
import { expect, it } from 'vitest';
import { activeStream } from '../../testing/fake-server.ts';
import { watchState } from './watch-state.ts';

const attempt = (facts: Partial<PublishAttempt> = {}): PublishAttempt => ({
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'show',
  protocol: 'rtmp',
  address: '198.51.100.7',
  reason: 'secret-wrong',
  count: 1,
  at: '2026-01-01T00:00:00.000Z',
  ...facts,
});
const show = activeStream();
const other = activeStream({ stream: 'other', client_id: 'c2' });
const seen = { streams: [], attempts: [], app: 'live', name: 'show' };

it('makes no claim before the server has answered', () => {
  expect(watchState({ ...seen, streams: undefined, attempts: [attempt()] })).toEqual({ kind: 'unknown' });
});

it('waits without a publisher, and is live with one', () => {
  expect(watchState(seen)).toEqual({ kind: 'waiting', refused: undefined, elsewhere: undefined, ended: undefined });
  expect(watchState({ ...seen, streams: [other, show] })).toEqual({ kind: 'live', stream: show, refused: undefined });
  expect(watchState({ ...seen, streams: [activeStream({ vhost: 'studio' })] })).toMatchObject({
    kind: 'waiting',
    elsewhere: undefined,
  });
});

it('names a refused publisher, of this stream first', () => {
  const ours = attempt();
  const foreign = attempt({ stream: 'shwo' });
  expect(watchState({ ...seen, attempts: [foreign, ours] })).toMatchObject({ refused: ours });
  expect(watchState({ ...seen, attempts: [foreign] })).toMatchObject({ refused: foreign });
});

it('reports a name in use only while it is in use', () => {
  const taken = attempt({ reason: 'in-use' });
  expect(watchState({ ...seen, attempts: [taken] })).toMatchObject({ refused: undefined });
  expect(watchState({ ...seen, attempts: [attempt(), taken], streams: [show] })).toMatchObject({ refused: taken });
});

it('points to a stream that is live under another name', () => {
  expect(watchState({ ...seen, streams: [other] })).toMatchObject({ kind: 'waiting', elsewhere: other });
});

it('shows the previous broadcast and no refusal before it', () => {
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
  const ended = { ...place, publishedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:32.000Z' };
  const old = attempt({ at: '2026-01-01T00:00:10.000Z' });
  const late = attempt({ at: '2026-01-01T00:00:40.000Z' });
  expect(watchState({ ...seen, ended: [ended], attempts: [old] })).toMatchObject({ refused: undefined, ended });
  expect(watchState({ ...seen, ended: [ended], attempts: [late, old] })).toMatchObject({ refused: late, ended });
  expect(watchState({ ...seen, ended: [{ ...ended, stream: 'other' }] })).toMatchObject({ ended: undefined });
});
