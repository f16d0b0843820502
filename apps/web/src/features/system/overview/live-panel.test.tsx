import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';

// The first of them loads the page's code, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

async function openOverview() {
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=overview');
  return within(await screen.findByRole('region', { name: 'Live' }));
}

it('tells on the first page what is on air, and leads to it', async () => {
  new FakeServer().answer('streams/query', {
    streams: [activeStream(), activeStream({ client_id: 'c2', stream: 'b' })],
  });
  const panel = await openOverview();
  expect(await panel.findByText('Live: 2')).toBeDefined();
  expect(panel.getByText('live/show')).toBeDefined();
  const link = panel.getByRole('link', { name: 'Manage active streams' });
  expect(link.getAttribute('href')).toBe('/mgmt/en/routers-settings?tab=streams');
  expect(within(screen.getByRole('complementary')).getByRole('link', { name: 'Live: 2' })).toBeDefined();
});

it('judges each stream, and says what is wrong and where to set it', async () => {
  const issue = { id: 'keyframes-far', severity: 'warn', since: '2026-01-01T00:00:00.000Z', subject: '' };
  new FakeServer().answer('streams/query', { streams: [activeStream()] }).answer('streams/detail', {
    ...{ live: null, samples: { at: [], columns: {} }, viewers: [] },
    diagnosis: { verdict: 'ok', issues: [{ ...issue, numbers: { seconds: 10 } }] },
  });
  const panel = await openOverview();
  expect(await panel.findByText('Could be better')).toBeDefined();
  expect(panel.getByText('Keyframes too far apart')).toBeDefined();
  expect(panel.getByText(/^10 seconds between keyframes\./)).toBeDefined();
  expect(panel.getByText(/Keyframe Interval: 2 s/).textContent).toMatch(/^OBS /);
});

it('tells a newcomer what to enter into an encoder', async () => {
  new FakeServer().answer('envs', { rtmpPort: '1935' });
  const panel = await openOverview();
  expect(await panel.findByLabelText('Server')).toHaveProperty('value', 'rtmp://localhost/live/');
  expect(panel.queryByText(/^Live: /)).toBeNull();
});

it('claims nothing while the engine does not say', async () => {
  new FakeServer().refuse('streams/query', 502, 1);
  const panel = await openOverview();
  expect(await panel.findByText('No response, retrying')).toBeDefined();
  expect(panel.queryByText('No streams')).toBeNull();
  expect(screen.queryByRole('link', { name: /^Live:/ })).toBeNull();
});
