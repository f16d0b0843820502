import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

async function openTab(server: FakeServer) {
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=hls');
  const delivery = within(await screen.findByRole('region', { name: 'HLS delivery' }));
  const latency = within(screen.getByRole('region', { name: 'HLS latency' }));
  await waitFor(() => expect(server.callsTo('hlsll/query')).toHaveLength(1));
  return { user, delivery, latency };
}

const newServer = () =>
  new FakeServer().answer('hphls/query', { noHlsCtx: true }).answer('hlsll/query', { hlsLowLatency: false });

it('shows the saved HLS settings', async () => {
  const { delivery, latency } = await openTab(newServer());
  await waitFor(() => expect(delivery.getByRole('checkbox')).toHaveProperty('checked', true));
  expect(latency.getByRole('checkbox', { name: /^Low latency/ })).toHaveProperty('checked', false);
});

it('saves each HLS switch separately', async () => {
  const server = newServer().answer('hlsll/update', null);
  const { user, delivery, latency } = await openTab(server);
  await waitFor(() => expect(latency.getByRole('checkbox')).toHaveProperty('disabled', false));
  await user.click(latency.getByRole('checkbox'));
  expect(latency.getByText('Unsaved changes')).toBeDefined();
  expect(delivery.queryByText('Unsaved changes')).toBeNull();
  await user.click(latency.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo('hlsll/update')[0]?.body).toEqual({ hlsLowLatency: true });
  expect(server.callsTo('hphls/update')).toHaveLength(0);
  expect(latency.queryByText('Unsaved changes')).toBeNull();
});

it('keeps the old value when the engine refuses the change', async () => {
  const server = newServer().refuse('hphls/update', 502, 1);
  const { user, delivery } = await openTab(server);
  const box = delivery.getByRole('checkbox');
  await waitFor(() => expect(box).toHaveProperty('checked', true));
  await user.click(box);
  await user.click(delivery.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('You got an error!')).toBeDefined();
  expect(box).toHaveProperty('checked', false);
  expect(delivery.getByText('Unsaved changes')).toBeDefined();
});

it('disables the switches until the saved values are known', async () => {
  const server = newServer().refuse('hphls/query', 500, 1007);
  const { delivery } = await openTab(server);
  expect(delivery.getByRole('checkbox')).toHaveProperty('disabled', true);
  expect(delivery.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  expect(await delivery.findByText('Loading failed')).toBeDefined();
  expect(await screen.findByText('Redis is not ready now, please retry later')).toBeDefined();
});

it('explains where HLS is set when the media server has it in its own configuration', async () => {
  newServer().answer('envs', { engineLacks: ['hls-settings'] });
  saveCredentials(session);
  renderConsole('/en/routers-settings?tab=hls');
  const hls = within(await screen.findByRole('region', { name: 'HLS' }));
  expect(hls.getByText('HLS is configured in the media server')).toBeDefined();
  expect(screen.queryByRole('checkbox')).toBeNull();
});
