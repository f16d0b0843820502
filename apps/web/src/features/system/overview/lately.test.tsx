import { screen, within } from '@testing-library/react';
import type { Broadcast } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';

const hourMs = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();

function broadcast(facts: Partial<Broadcast>): Broadcast {
  return {
    id: 1,
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'harbour',
    beganAt: hoursAgo(3),
    endedAt: hoursAgo(2),
    seconds: 3600,
    verdict: 'good',
    good: 1,
    ok: 0,
    bad: 0,
    peakViewers: 3,
    recordings: [],
    deletedRecordings: 0,
    entries: 1,
    leftOut: 0,
    ...facts,
  };
}

it('lists streams seen this week that are off, once each, and the newest events', async () => {
  const broadcasts = [
    broadcast({ id: 5, stream: 'show', endedAt: '' }),
    broadcast({ id: 4, recordings: ['r1', 'r2'] }),
    broadcast({ id: 3, endedAt: hoursAgo(20) }),
    broadcast({ id: 2, stream: 'rehearsal', endedAt: hoursAgo(30) }),
    broadcast({ id: 1, stream: 'old', endedAt: hoursAgo(24 * 8) }),
  ];
  const left = { id: 9, at: hoursAgo(2), until: hoursAgo(2), count: 1, what: 'publisher-left', facts: {}, numbers: {} };
  new FakeServer()
    .answer('streams/query', { streams: [activeStream()] })
    .answer('streams/broadcasts', { broadcasts, hasMore: false })
    .answer('streams/timeline', {
      broadcast: broadcasts[1],
      entries: [{ ...left, id: 10, at: hoursAgo(1), what: 'callback-delivered' }, left],
    });
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=overview');
  const off = within(await screen.findByRole('list', { name: 'Off air' }));
  expect(off.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'live/harbourEnded 2 hr. ago · lasted 1 hrPlay recording',
    'live/rehearsalEnded yesterday · lasted 1 hrHow to publish',
  ]);
  expect(off.getByRole('link', { name: 'Play recording of live/harbour' }).getAttribute('href')).toContain(
    'tab=record&recording=r2',
  );
  const latest = within(await screen.findByRole('list', { name: 'Latest' }));
  expect(latest.getAllByText('Publisher disconnected')[0]).toBeDefined();
  expect(latest.queryByText('Callback delivered')).toBeNull();
  expect(latest.getAllByRole('link', { name: 'live/harbour' })[0]?.getAttribute('href')).toContain('broadcast=4');
});

it('says how often an event of a broadcast repeated, apart from its details', async () => {
  const one = broadcast({ id: 4 });
  const delivered = {
    id: 9,
    at: hoursAgo(2),
    until: hoursAgo(1),
    count: 2,
    what: 'callback-delivered',
    facts: { event: 'on_ocr', status: '200' },
    numbers: {},
  };
  new FakeServer()
    .answer('streams/broadcasts', { broadcasts: [one], hasMore: false })
    .answer('streams/timeline', { broadcast: one, entries: [delivered] });
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=overview&broadcast=4');
  expect(await screen.findByText(/^on_ocr · HTTP 200 · 2 times, last at \d/)).toBeDefined();
});
