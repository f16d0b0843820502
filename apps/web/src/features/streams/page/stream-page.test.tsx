import { screen, within } from '@testing-library/react';
import { streamSampleFields } from '@weir/streams';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';

const ports = { rtmpPort: '1935', srtPort: '10080', httpPort: '2022', rtcPort: '8000' };
const samples = { at: [], columns: Object.fromEntries(streamSampleFields.map((field) => [field, []])) };
const stream = activeStream({ vhost: 'other.example' });

function open(engineLacks?: string[]) {
  new FakeServer()
    .answer('envs', { ...ports, ...(engineLacks && { engineLacks }) })
    .answer('streams/query', { streams: [stream], ended: [] })
    .answer('streams/detail', { samples, diagnosis: { verdict: 'none', issues: [] }, viewers: [] });
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=live&stream=live/show&vhost=other.example');
}

it('shares a stream of another vhost by URLs that name it', async () => {
  open();
  const share = within(await screen.findByRole('region', { name: 'Playback URLs' }));
  expect(share.getByDisplayValue(/\/live\/show\.m3u8\?vhost=other\.example$/)).toBeDefined();
  expect(share.getByDisplayValue(/\/live\/show\.flv\?vhost=other\.example$/)).toBeDefined();
  expect(screen.queryByText(/isn't measured/)).toBeNull();
});

it('explains a missing verdict and missing charts when the media server measures nothing', async () => {
  open(['measurements', 'process']);
  expect(await screen.findByText(/the stream isn't measured/)).toBeDefined();
  const charts = within(await screen.findByRole('region', { name: 'Statistics' }));
  expect(charts.getByText(/aren't measured/)).toBeDefined();
});
