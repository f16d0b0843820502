import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, publishSecret, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

function openTab() {
  saveCredentials(session);
  return renderConsole('/en/routers-settings?tab=streams');
}

const media = {
  protocol: 'rtmp',
  address: '198.51.100.7',
  viewers: 7,
  kbps: 2500,
  fps: 25,
  bFrames: false,
  video: null,
  audio: null,
};
const two = {
  streams: [
    activeStream({ stream: 'new', client_id: 'client-2' }),
    activeStream({ stream: 'old', vhost: 'studio', media }),
  ],
};

it('lists live streams in the order of the server', async () => {
  new FakeServer().answer('streams/query', two);
  openTab();
  const table = await screen.findByRole('table', { name: 'Active streams' });
  const heads = within(table).getAllByRole('columnheader');
  const titles = ['#', 'URL', 'Protocol', 'Viewers', 'Bitrate', 'Server', 'Client', 'Updated', 'Actions'];
  expect(heads.map((head) => head.textContent)).toEqual(titles);
  const rows = within(table).getAllByRole('row').slice(1);
  const cells = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  );
  const bitrate = '2.5\u00a0Mbit/s';
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(cells).toEqual([
    ['1', expect.stringMatching(/^live\/newLive for /), '–', '–', '–', 'vid-1', 'client-2', time, 'Disconnect'],
    [
      '2',
      expect.stringMatching(/^studio\/live\/oldLive for /),
      'RTMP',
      '7',
      bitrate,
      'vid-1',
      'client-1',
      time,
      'Disconnect',
    ],
  ]);
});

it('explains what to do without a live stream, and keeps the key masked', async () => {
  new FakeServer().answer('envs', { rtmpPort: '19350' });
  openTab();
  expect(await screen.findByText('No streams')).toBeDefined();
  expect(await screen.findByLabelText('Server')).toHaveProperty('value', 'rtmp://localhost:19350/live/');
  const key = screen.getByLabelText('Stream key');
  expect(key).toHaveProperty('value', `livestream?secret=${publishSecret}`);
  expect(key).toHaveProperty('type', 'password');
});

it('disconnects a named stream after a confirmation and reloads the list', async () => {
  const server = new FakeServer().answer('streams/query', two).answer('streams/kickoff', null);
  const user = openTab();
  await user.click(await screen.findByRole('button', { name: 'Disconnect live/new' }));
  const dialog = await screen.findByRole('dialog', { name: 'Disconnect live/new' });
  expect(server.callsTo('streams/kickoff')).toHaveLength(0);
  server.answer('streams/query', { streams: two.streams.slice(1) });
  await user.click(await within(dialog).findByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('live/new disconnected')).toBeDefined();
  expect(server.callsTo('streams/kickoff')[0]?.body).toEqual({
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'new',
    client_id: 'client-2',
  });
  await waitFor(() => expect(screen.queryByRole('link', { name: 'live/new' })).toBeNull());
});

it('disconnects nothing when the confirmation is cancelled', async () => {
  const server = new FakeServer().answer('streams/query', two);
  const user = openTab();
  await user.click(await screen.findByRole('button', { name: 'Disconnect live/new' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(await within(dialog).findByText('Cancel'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.callsTo('streams/kickoff')).toHaveLength(0);
});

it('treats a stream that has ended as disconnected', async () => {
  new FakeServer().answer('streams/query', two).refuse('streams/kickoff', 404, 1003);
  const user = openTab();
  await user.click(await screen.findByRole('button', { name: 'Disconnect live/new' }));
  await user.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('live/new had already ended')).toBeDefined();
  expect(screen.queryByText('You got an error!')).toBeNull();
});

it('shows no empty list before the streams are known', async () => {
  new FakeServer().refuse('streams/query', 502, 1);
  openTab();
  const section = within(await screen.findByRole('region', { name: 'Active streams' }));
  expect(section.getByText('No response, retrying')).toBeDefined();
  expect(screen.queryByText('No streams')).toBeNull();
});
