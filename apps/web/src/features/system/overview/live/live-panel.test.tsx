import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { saveCredentials } from '../../../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../../../testing/fake-server.ts';
import { renderConsole } from '../../../../testing/render-console.tsx';

const noLines = { cpu: [], memory: [], inKbps: [], outKbps: [] };

function glance(stream: string) {
  const place = { vhost: '__defaultVhost__', app: 'live', stream };
  return { ...place, diagnosis: { verdict: 'good', issues: [] }, line: [], isRecording: false, targets: [] };
}

async function openOverview() {
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=overview');
  return within(await screen.findByRole('region', { name: 'Live' }));
}

it('shows live streams on the first page with links', async () => {
  new FakeServer().answer('streams/query', {
    streams: [activeStream(), activeStream({ client_id: 'c2', stream: 'b' })],
  });
  const panel = await openOverview();
  expect(await within(screen.getByRole('main')).findByText('Live: 2')).toBeDefined();
  expect(panel.getByText('live/show')).toBeDefined();
  const link = panel.getByRole('link', { name: 'Manage active streams' });
  expect(link.getAttribute('href')).toBe('/mgmt/en/routers-settings?tab=streams');
  expect(within(screen.getByRole('complementary')).getByRole('link', { name: 'Live: 2' })).toBeDefined();
});

it('shows health, viewers and outputs of a stream on its card', async () => {
  const media = {
    protocol: 'rtmp',
    address: '',
    viewers: 1234,
    kbps: 2500,
    fps: 25,
    bFrames: false,
    qualities: [
      { name: '720p', width: 1280, height: 720, kbps: 2000, viewers: 1200 },
      { name: '240p', width: 426, height: 240, kbps: 350, viewers: 34 },
    ],
    video: null,
    audio: { codec: 'AAC', sampleRate: 44_100, channels: 2 },
  };
  const issue = { id: 'keyframes-far', severity: 'warn', since: '2026-01-01T00:00:00.000Z', subject: '' };
  const target = { platform: 'wx', label: '', state: 'live' };
  const server = new FakeServer()
    .answer('streams/query', {
      streams: [activeStream({ media, update: new Date(Date.now() - 60_000).toISOString() })],
    })
    .answer('streams/overview', {
      streams: [
        {
          ...glance('show'),
          diagnosis: { verdict: 'ok', issues: [{ ...issue, numbers: { seconds: 10 } }] },
          line: [1000, 2000, null, 2500],
          isRecording: true,
          targets: [target, { ...target, state: 'failing' }],
        },
      ],
      server: noLines,
    });
  const panel = await openOverview();
  expect(await panel.findByText('Could be better')).toBeDefined();
  const card = within(panel.getByRole('list', { name: 'Live streams' }).querySelector('li') as HTMLElement);
  expect(card.getByText('Keyframes too far apart')).toBeDefined();
  expect(card.getByText('1,234 viewers')).toBeDefined();
  const qualities = card.getByRole('list', { name: 'Qualities' }).querySelectorAll('li');
  expect([...qualities].map(({ textContent }) => textContent)).toEqual([
    '720p 2\u00a0Mbit/s 1,200 viewers',
    '240p 350\u00a0kbit/s 34 viewers',
  ]);
  expect(card.getByRole('img', { name: 'Bitrate of the last 5 minutes, now 2.5\u00a0Mbit/s' })).toBeDefined();
  expect(card.getByText('Recording')).toBeDefined();
  expect(card.getByText('1 of 2 destinations')).toBeDefined();
  expect(card.getByRole('link', { name: 'live/show' }).getAttribute('href')).toBe(
    '/mgmt/en/routers-scenario?tab=live&stream=live/show',
  );
  // An audio-only stream has no thumbnail.
  expect(card.getByText('Audio only')).toBeDefined();
  expect(server.callsTo('streams/thumbnail')).toEqual([]);
  // The remedy is visible without a click.
  expect(panel.getByText(/^10 seconds between keyframes\./)).toBeDefined();
  expect(panel.getByText(/Keyframe Interval: 2 s/).textContent).toMatch(/^OBS /);
});

it('loads a hundred streams in one call, and filters them by name and problems', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const wrong = { id: 'stalled', severity: 'bad', since: '2026-01-01T00:00:00.000Z', subject: '', numbers: {} };
  const server = new FakeServer()
    .answer('streams/query', { streams: names.map((name) => activeStream({ stream: name, client_id: name })) })
    .answer('streams/overview', {
      streams: names.map((name) => ({
        ...glance(name),
        ...(/^s1\d$/.test(name) && { diagnosis: { verdict: 'bad', issues: [wrong] } }),
      })),
      server: noLines,
    });
  const panel = await openOverview();
  const list = await panel.findByRole('list', { name: 'Live streams' });
  const shown = () => list.querySelectorAll('li').length;
  await vi.waitFor(() => expect(shown()).toBe(100));
  expect(server.callsTo('streams/detail')).toEqual([]);
  expect(await panel.findByText('7 more streams have problems. Open them to see what to do.')).toBeDefined();
  fireEvent.click(panel.getByRole('checkbox', { name: 'With problems (10)' }));
  await vi.waitFor(() => expect(shown()).toBe(10));
  fireEvent.change(panel.getByRole('searchbox', { name: 'Find a stream' }), { target: { value: 'LIVE/s15' } });
  await vi.waitFor(() => expect(shown()).toBe(1));
  fireEvent.change(panel.getByRole('searchbox', { name: 'Find a stream' }), { target: { value: 'other' } });
  expect(panel.getByText('No stream matches.')).toBeDefined();
});

it('shows the load of the server and leaves out unknown figures', async () => {
  const media = {
    protocol: 'rtmp',
    address: '',
    viewers: 21,
    kbps: 2500,
    fps: 25,
    video: null,
    audio: null,
    bFrames: false,
  };
  const server = new FakeServer().answer('streams/query', { streams: [activeStream({ media })] });
  server.answer('server/now', { at: 1, values: { cpu: 0.123, memory: 0.5, inKbps: 2500, outKbps: 52_000 } });
  await openOverview();
  const strip = within(screen.getByRole('complementary'));
  for (const name of ['Viewers: 21', /^In 2.5\sMbit\/s$/, /^Out 52\sMbit\/s$/, 'CPU 12%']) {
    expect(await strip.findByRole('link', { name })).toBeDefined();
  }
});

it('shows a new user what to enter into an encoder', async () => {
  new FakeServer().answer('envs', { rtmpPort: '1935' });
  const panel = await openOverview();
  expect(await panel.findByLabelText('Server')).toHaveProperty('value', 'rtmp://localhost/live/');
  expect(within(screen.getByRole('main')).queryByText(/^Live: /)).toBeNull();
});

it('makes no claim while the engine does not answer', async () => {
  new FakeServer().refuse('streams/query', 502, 1);
  const panel = await openOverview();
  expect(await panel.findByText('No response, retrying')).toBeDefined();
  expect(panel.queryByText('No streams')).toBeNull();
  expect(screen.queryByRole('link', { name: /^Live:/ })).toBeNull();
});
