import { screen, within } from '@testing-library/react';
import type { Broadcast } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, runningStatus, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const aBroadcast = (facts: Partial<Broadcast>): Broadcast => ({
  id: 1,
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'show',
  verdict: 'good',
  good: 1,
  ok: 0,
  bad: 0,
  beganAt: '2026-01-01T00:00:00Z',
  endedAt: '2026-01-01T01:00:00Z',
  seconds: 3600,
  peakViewers: 3,
  entries: 2,
  leftOut: 0,
  recordings: [],
  deletedRecordings: 0,
  ...facts,
});

it('links a broadcast to its recordings and names deleted ones', async () => {
  const broadcasts = [
    aBroadcast({ id: 4, recordings: ['r4', 'r5'], deletedRecordings: 1 }),
    aBroadcast({ id: 3, recordings: ['r3'] }),
    aBroadcast({ id: 2, deletedRecordings: 2 }),
    aBroadcast({ id: 1 }),
  ];
  new FakeServer().answer('streams/broadcasts', { broadcasts, hasMore: false });
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=overview');
  const panel = within(await screen.findByRole('region', { name: 'Broadcasts' }));
  await panel.findByRole('table');
  const linkTo = (name: string) => panel.getByRole('link', { name }).getAttribute('href');
  expect(linkTo('Play recording 1')).toBe('/mgmt/en/routers-scenario?tab=record&recording=r4');
  expect(linkTo('Play recording 2')).toBe('/mgmt/en/routers-scenario?tab=record&recording=r5');
  expect(linkTo('Play recording')).toBe('/mgmt/en/routers-scenario?tab=record&recording=r3');
  expect(panel.getByText('Recording deleted')).toBeDefined();
  expect(panel.getByText('2 recordings deleted')).toBeDefined();
});

it.each([
  [false, 1],
  [true, 0],
])('explains where recordings of the other server are, with shared files: %s', async (filesShared, notes) => {
  const pair = { asked: 'leader', leader: 'http://10.0.0.5:2022', standbys: [], filesShared } as const;
  new FakeServer()
    .answer('status', { ...runningStatus, pair })
    .answer('streams/broadcasts', { broadcasts: [], hasMore: false });
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=overview');
  const panel = within(await screen.findByRole('region', { name: 'Broadcasts' }));
  await screen.findByText('http://10.0.0.5:2022');
  expect(panel.queryAllByText(/don't share storage/)).toHaveLength(notes);
});
