import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, publishSecret, secretPath, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const updatePath = '/terraform/v1/hooks/srs/secret/update';
const disablePath = '/terraform/v1/hooks/srs/secret/disable';

async function openTab(server: FakeServer, query = '') {
  saveCredentials(session);
  const user = renderConsole(`/en/routers-settings?tab=auth${query}`);
  const field = await screen.findByLabelText('Secret');
  await waitFor(() => expect(server.callsTo(secretPath)).toHaveLength(1));
  await waitFor(() => expect(field).toHaveProperty('value', publishSecret));
  return { user, field };
}

it('shows the publish secret first, masked until revealed', async () => {
  const { user, field } = await openTab(new FakeServer());
  expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).toBe('Publish secret');
  expect(field).toHaveProperty('type', 'password');
  const reveal = screen.getByRole('button', { name: 'Show', pressed: false });
  await user.click(reveal);
  expect(field).toHaveProperty('type', 'text');
  expect(reveal.getAttribute('aria-pressed')).toBe('true');
});

it('refuses an empty publish secret at the field', async () => {
  const server = new FakeServer();
  const { user, field } = await openTab(server);
  await user.clear(field);
  await user.click(screen.getByRole('button', { name: 'Save secret' }));
  expect(await screen.findByText('Enter a secret.')).toBeDefined();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(server.callsTo(updatePath)).toHaveLength(0);
});

it.each(['short', 'has a space in the middle'])('explains at the field why %j is refused', async (secret) => {
  const server = new FakeServer();
  const { user, field } = await openTab(server);
  await user.clear(field);
  await user.type(field, `${secret}{Enter}`);
  expect(await screen.findByText(/^Use 8 to 128 letters/)).toBeDefined();
  expect(server.callsTo(updatePath)).toHaveLength(0);
  await user.type(field, 'x');
  expect(screen.queryByText(/^Use 8 to 128 letters/)).toBeNull();
});

it('warns of a weak secret and saves it', async () => {
  const server = new FakeServer().answer(updatePath, null);
  const { user, field } = await openTab(server);
  expect(screen.queryByText(/^Short secrets can be guessed/)).toBeNull();
  await user.clear(field);
  await user.type(field, 'tea4two');
  expect(screen.queryByText(/^Short secrets can be guessed/)).toBeNull();
  await user.type(field, 's');
  expect(screen.getByText(/^Short secrets can be guessed/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save secret' }));
  expect(await screen.findByText('Secret saved')).toBeDefined();
  expect(server.callsTo(updatePath)[0]?.body).toEqual({ secret: 'tea4twos' });
});

it('trims and saves a new secret', async () => {
  const server = new FakeServer().answer(updatePath, null);
  const { user, field } = await openTab(server);
  await user.clear(field);
  await user.type(field, ' my-own-secret-of-2026 ');
  expect(screen.getByText('Unsaved changes')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save secret' }));
  expect(await screen.findByText('Secret saved')).toBeDefined();
  expect(server.callsTo(updatePath)[0]?.body).toEqual({ secret: 'my-own-secret-of-2026' });
  expect(field).toHaveProperty('value', 'my-own-secret-of-2026');
  expect(screen.queryByText('Unsaved changes')).toBeNull();
});

it('proposes a random secret without saving it', async () => {
  const server = new FakeServer();
  const { user, field } = await openTab(server);
  await user.click(screen.getByRole('button', { name: 'Generate new secret' }));
  expect((field as HTMLInputElement).value).toMatch(/^[0-9a-f]{32}$/);
  expect(field).not.toHaveProperty('value', publishSecret);
  expect(screen.getByText('Unsaved changes')).toBeDefined();
  expect(server.callsTo(updatePath)).toHaveLength(0);
});

it('keeps the typed fields when saving fails', async () => {
  const server = new FakeServer().refuse(updatePath, 500, 1007);
  const { user, field } = await openTab(server);
  await user.clear(field);
  await user.type(field, 'my-own-secret-of-2026{Enter}');
  expect(await screen.findByText('You got an error!')).toBeDefined();
  expect(field).toHaveProperty('value', 'my-own-secret-of-2026');
});

it('hides the switch for open publishing, but shows that it is on', async () => {
  const server = new FakeServer().answer(secretPath, { publish: publishSecret, pubNoAuth: true });
  await openTab(server);
  expect(screen.queryByRole('checkbox', { name: 'Allow publishing without the secret' })).toBeNull();
  expect(screen.getByText('Not required: anyone can publish')).toBeDefined();
});

it('shows the switch with the flag in the address and saves it', async () => {
  const server = new FakeServer().answer(secretPath, { publish: publishSecret, pubNoAuth: true });
  server.answer(disablePath, null);
  const { user } = await openTab(server, '&allow-noauth=true');
  const box = screen.getByRole('checkbox', { name: 'Allow publishing without the secret' });
  expect(box).toHaveProperty('checked', true);
  await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo(disablePath)[0]?.body).toEqual({ pubNoAuth: false });
  expect(screen.queryByText('Not required: anyone can publish')).toBeNull();
});

it.each(['&allow-noauth=false', '&allow-noauth'])('ignores the flag %s', async (query) => {
  await openTab(new FakeServer(), query);
  expect(screen.queryByRole('checkbox', { name: 'Allow publishing without the secret' })).toBeNull();
});
