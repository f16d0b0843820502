import { screen, waitFor, within } from '@testing-library/react';
import type { StreamKeyRow } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const path = (name: string) => `/terraform/v1/hooks/srs/keys/${name}`;
const secret = 'abcdef0123456789abcdef0123456789';
const use = {
  at: '2026-01-01T00:00:00.000Z',
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'stage-b',
  protocol: 'rtmp',
  address: '203.0.113.20',
};

function key(change: Partial<StreamKeyRow> = {}): StreamKeyRow {
  return {
    uuid: 'k1',
    name: 'Stage B',
    streams: ['live/stage-b', 'live/spare-*'],
    protocols: [],
    expiresAt: '',
    publishers: 0,
    enabled: true,
    createdAt: '2026-01-01T00:00:00.000Z',
    rotatedAt: '',
    last: null,
    live: [],
    ...change,
  };
}

async function openPanel(keys: readonly StreamKeyRow[], server = new FakeServer()) {
  server.answer(path('query'), { keys });
  server.answer('envs', { rtmpPort: '1935', srtPort: '10080', httpPort: '' });
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=auth');
  const panel = within(await screen.findByRole('region', { name: 'Stream keys' }));
  return { user, panel, server };
}

/** Menus need a layout, which tests lack; they stay hidden to queries by role. */
async function choose(user: ReturnType<typeof renderConsole>, item: string) {
  await user.click(screen.getByRole('button', { name: 'More actions for Stage B' }));
  await user.click(await screen.findByRole('menuitem', { name: item, hidden: true }));
}

async function expectNoDialog() {
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

it('creates a key and shows its value once, with URLs for every encoder', async () => {
  const server = new FakeServer().answer(path('create'), { key: key(), secret });
  const { user, panel } = await openPanel([], server);
  await user.click(await panel.findByRole('button', { name: 'Add key' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Add stream key' }));
  await user.type(sheet.getByLabelText('Name'), 'Stage B');
  await user.type(sheet.getByLabelText('Streams'), 'live/stage-b\nlive/spare-*');
  await user.click(sheet.getByRole('checkbox', { name: 'SRT' }));
  await user.type(sheet.getByLabelText('Publishers at once'), '1');
  await user.click(sheet.getByRole('button', { name: 'Create key' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Stream key Stage B' }));
  expect(server.callsTo(path('create'))[0]?.body).toEqual({
    name: 'Stage B',
    streams: ['live/stage-b', 'live/spare-*'],
    protocols: ['srt'],
    expiresAt: '',
    publishers: 1,
    secret: '',
  });
  expect(shown.getByLabelText('Key value')).toHaveProperty('value', secret);
  const shownIn = async (label: string) => String((await shown.findByLabelText<HTMLInputElement>(label)).value);
  expect(await shownIn('SRT URL')).toContain('r=live/stage-b?secret=••••••••,m=publish');
  expect(await shownIn('WHIP URL')).toContain('app=live&stream=stage-b&secret=••••••••');
  expect(shown.queryByText('Copy the key now')).not.toBeNull();
  await user.click(shown.getByRole('button', { name: 'Done' }));
  await expectNoDialog();
});

it('explains at the field what is missing', async () => {
  const { user, panel, server } = await openPanel([]);
  await user.click(await panel.findByRole('button', { name: 'Add key' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Add stream key' }));
  await user.type(sheet.getByLabelText('Publishers at once'), 'few');
  await user.click(sheet.getByRole('button', { name: 'Create key' }));
  for (const text of ['Enter a name.', 'Enter at least one stream.']) expect(sheet.getByText(text)).toBeDefined();
  await user.type(sheet.getByLabelText('Streams'), 'stage');
  expect(sheet.getByText(/^Write each stream as app\/name/)).toBeDefined();
  expect(server.callsTo(path('create'))).toHaveLength(0);
});

it('shows who uses a key, and its limits', async () => {
  const { panel } = await openPanel([
    key({ live: [use], last: use, publishers: 1, protocols: ['rtmp', 'rtc'] }),
    key({ uuid: 'k2', name: 'Old', expiresAt: '2020-01-01T00:00:00.000Z' }),
    key({ uuid: 'k3', name: 'Away', enabled: false, last: use }),
  ]);
  const [used, old, away] = (await panel.findAllByRole('listitem')).map((row) => within(row));
  expect(used?.getByText('In use')).toBeDefined();
  expect(used?.getByRole('link', { name: 'live/stage-b' })).toBeDefined();
  expect(used?.getByText(/RTMP from 203\.0\.113\.20/)).toBeDefined();
  expect(used?.getByText(/^RTMP, WebRTC · 1 publisher at once · created 2026-01-01 /)).toBeDefined();
  expect(old?.getByText('Expired')).toBeDefined();
  expect(old?.getByText('Never used')).toBeDefined();
  expect(away?.getByText('Off')).toBeDefined();
  expect(away?.getByText(/^Last used/)).toBeDefined();
});

it('edits, switches, rotates and revokes a key, the last two after a question', async () => {
  const server = new FakeServer().answer(path('update'), key()).answer(path('revoke'), null);
  server.answer(path('rotate'), { key: key(), secret });
  const { user, panel } = await openPanel([key()], server);
  await user.click(await panel.findByRole('switch', { name: 'Stage B' }));
  await waitFor(() => expect(server.callsTo(path('update'))[0]?.body).toEqual({ uuid: 'k1', enabled: false }));
  await user.click(panel.getByRole('button', { name: 'Stage B' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Edit stream key Stage B' }));
  expect(sheet.getByLabelText('Streams')).toHaveProperty('value', 'live/stage-b\nlive/spare-*');
  expect(sheet.queryByLabelText('Key value')).toBeNull();
  await user.click(sheet.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Stream key saved')).toBeDefined();
  await expectNoDialog();

  await choose(user, 'Rotate');
  const rotate = within(await screen.findByRole('dialog', { name: 'Rotate stream key Stage B?' }));
  expect(server.callsTo(path('rotate'))).toHaveLength(0);
  await user.click(rotate.getByRole('button', { name: 'Rotate' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Stream key Stage B' }));
  await user.click(shown.getByRole('button', { name: 'Done' }));
  await expectNoDialog();

  await choose(user, 'Revoke');
  const revoke = within(await screen.findByRole('dialog', { name: 'Revoke stream key Stage B?' }));
  await user.click(revoke.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Stream key revoked')).toBeDefined();
  expect(server.callsTo(path('revoke'))[0]?.body).toEqual({ uuid: 'k1' });
});
