import { expect, it } from 'vitest';
import { toBroadcast } from '../../timeline-store/broadcast-row.ts';
import { withLeftRecordings } from './left-recordings.ts';

const row = {
  id: 1,
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'show',
  client: 'c1',
  began_ms: 0,
  ended_ms: 9000,
  seen_ms: 9000,
  peak: 0,
  good_ms: 0,
  ok_ms: 0,
  bad_ms: 0,
  left_out: 0,
  entries: 2,
  recordings: JSON.stringify(['first', 'second', 'third']),
};

it('reports which recordings of a broadcast are left, and how many were deleted', async () => {
  const broadcast = toBroadcast(row, 10_000);
  expect(await withLeftRecordings(broadcast, { has: async (uuid) => uuid !== 'second' })).toMatchObject({
    recordings: ['first', 'third'],
    deletedRecordings: 1,
  });
  const unknown = { has: () => Promise.reject(new Error('the store is away')) };
  expect(await withLeftRecordings(broadcast, unknown)).toEqual(broadcast);
});
