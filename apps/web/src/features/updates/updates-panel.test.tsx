import { screen, within } from '@testing-library/react';
import type { Updates } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, noUpdates, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const newer = { ...noUpdates, stable: '0.2.0', latest: '0.2.0', offered: '0.2.0', notes: 'https://example.com/notes' };

async function openPanel(updates: Updates) {
  const server = new FakeServer().answer('updates/query', updates).answer('upgrade', { version: '0.2.0' });
  server.answer('streams/query', { streams: [activeStream()] });
  saveCredentials(session);
  const user = renderConsole('/en/routers-components');
  return { server, user, panel: within(await screen.findByRole('region', { name: 'Updates' })) };
}

it('starts an update after a confirmation that says what is interrupted', async () => {
  const { server, user, panel } = await openPanel(newer);
  expect(panel.getByText('Version 0.2.0 is available; you are running 0.1.0.')).toBeDefined();
  expect(panel.getByRole('link', { name: "What's new in 0.2.0" }).getAttribute('href')).toBe(newer.notes);
  await user.click(panel.getByRole('button', { name: 'Update to 0.2.0' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/1 stream is live.*disconnected for about a second/)).toBeDefined();
  expect(server.callsTo('upgrade')).toEqual([]);
  const at = '2026-01-01T12:00:00Z';
  const update = { version: '0.2.0', from: '0.1.0', cause: '', detail: '', startedAt: at, at } as const;
  server.answer('updates/query', { ...newer, update: { ...update, phase: 'checking' } });
  await user.click(dialog.getByRole('button', { name: 'Update now' }));
  expect(await panel.findByText('Checking that version 0.2.0 is healthy.')).toBeDefined();
  expect(server.callsTo('upgrade')[0]?.body).toEqual({ version: '0.2.0' });
});

it('shows the command where Weir cannot replace its own files', async () => {
  const { panel } = await openPanel({ ...newer, installation: 'container' });
  expect(panel.getByDisplayValue('docker compose pull && docker compose up -d')).toBeDefined();
  expect(panel.queryByRole('button', { name: 'Update to 0.2.0' })).toBeNull();
});

it('says why an update was undone until it is dismissed', async () => {
  const at = '2026-01-01T12:00:00Z';
  const undone = { version: '0.2.0', from: '0.1.0', phase: 'undone', cause: 'unhealthy', startedAt: at, at } as const;
  const { server, user, panel } = await openPanel({ ...newer, update: { ...undone, detail: 'it does not respond' } });
  expect(panel.getByText('The update to 0.2.0 failed; 0.1.0 runs again')).toBeDefined();
  expect(panel.getByText(/didn't respond properly within a minute/)).toBeDefined();
  server.answer('updates/confirm', null).answer('updates/query', newer);
  await user.click(panel.getByRole('button', { name: 'Dismiss' }));
  expect(await panel.findByRole('button', { name: 'Update to 0.2.0' })).toBeDefined();
  expect(panel.queryByText(/failed/)).toBeNull();
});

it('saves where to look for releases, and refuses addresses with a user name', async () => {
  const { server, user, panel } = await openPanel(noUpdates);
  server.answer('updates/update', null);
  const field = panel.getByRole('textbox', { name: 'Address of the releases' });
  await user.type(field, 'https://me@example.com');
  await user.click(panel.getByRole('button', { name: 'Save update settings' }));
  expect(await panel.findByText(/without a user name or query/)).toBeDefined();
  await user.clear(field);
  await user.type(field, 'https://mirror.example.com/weir/');
  await user.click(panel.getByRole('button', { name: 'Save update settings' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo('updates/update').at(-1)?.body).toEqual({
    looks: true,
    base: 'https://mirror.example.com/weir/',
  });
});
