import { act, screen, waitFor, within } from '@testing-library/react';
import type { ProcessReport, StreamViewer } from '@weir/contract';
import { streamSampleFields } from '@weir/streams';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../../testing/fake-server.ts';
import { address, renderConsole } from '../../../testing/render-console.tsx';

const at = [1_000_000, 1_001_000, 1_002_000];
const columns = { ...Object.fromEntries(streamSampleFields.map((field) => [field, at.map(() => null)])) };
const samples = { at, columns: { ...columns, inKbps: [2000, 2500, 3000], fps: [25, 25, 25], hls: [0, 1, 2] } };
const viewer = (facts: Partial<StreamViewer>): StreamViewer => ({
  id: 'v1',
  protocol: 'hls',
  address: '198.51.100.7',
  since: '2026-01-01T00:00:00.000Z',
  bytes: 12e6,
  kbps: 2500,
  droppedFrames: 0,
  rttMs: null,
  behindMs: null,
  isSlow: false,
  ...facts,
});
const process: ProcessReport = {
  state: 'live',
  since: '',
  failures: 0,
  starts: 1,
  failure: null,
  nextTry: '',
  lastExit: null,
  numbers: null,
};
const answerer = { by: 'nobody', host: '', model: '', lacks: null };

function liveServer(): FakeServer {
  return new FakeServer()
    .answer('streams/query', { streams: [activeStream()], ended: [] })
    .answer('streams/preview', { query: 'weir-preview=t', expireAt: '' })
    .answer('streams/detail', {
      live: activeStream(),
      samples,
      viewers: [],
      diagnosis: { verdict: 'good', issues: [] },
    })
    .answer('streams/history', { samples })
    .answer('hlsll/query', { hlsLowLatency: true })
    .answer('hphls/query', { noHlsCtx: false })
    .answer('/terraform/v1/ffmpeg/forward/streams', [])
    .answer('/terraform/v1/ffmpeg/transcode/task', {
      uuid: 'u',
      enabled: false,
      input: '',
      output: '',
      outputStream: '',
      process: { ...process, state: 'off' },
    })
    .answer('/terraform/v1/hooks/record/query', { all: false, globs: [] })
    .answer('/terraform/v1/hooks/record/files', [])
    .answer('/terraform/v1/ai/transcript/state', { provider: answerer, translator: null, streams: [] })
    .answer('/terraform/v1/ai/ocr/query', { config: { all: false, aiChatEnabled: true }, task: { uuid: 'u' } })
    .answer('/terraform/v1/ai/ocr/state', { provider: answerer, stream: '', cause: null, taken: 0 });
}

function openPage(query = '') {
  saveCredentials(session);
  return renderConsole(`/en/routers-scenario?tab=live&stream=live/show${query}`);
}

const region = async (name: string) => within(await screen.findByRole('region', { name }));

/** Title of the page with what stands beside it. */
const headText = () => screen.getByRole('heading', { level: 1, name: 'live/show' }).parentElement?.textContent;

it('shows verdict and figures of a stream', async () => {
  liveServer();
  openPage();
  const health = await region('Health');
  expect(await health.findByText('Good')).toBeDefined();
  expect(health.getByText('No problems found.')).toBeDefined();
  expect(headText()).toMatch(/^live\/showLive\d/);
  await waitFor(() => expect(document.title).toBe('live/show · Live · Weir'));
  const charts = await region('Statistics');
  for (const title of ['Bitrate', 'Frame rate', 'Time between keyframes', 'Viewers', 'Sent to viewers', 'Delay']) {
    expect(charts.getAllByText(title).length).toBeGreaterThan(0);
  }
  const rows = within(charts.getByRole('table', { name: 'Statistics as a table', hidden: true }))
    .getAllByRole('row', { hidden: true })
    .map((row) => row.textContent?.replaceAll('\u00a0', ' '));
  expect(rows).toContain('Bitrate2 Mbit/s2.5 Mbit/s3 Mbit/s3 Mbit/s');
  expect(rows).toContain('Viewers0122');
});

it('requests only missing samples, and a whole day only on demand', async () => {
  const server = liveServer();
  const user = openPage();
  const charts = await region('Statistics');
  expect(server.callsTo('streams/history')).toHaveLength(0);
  expect(server.callsTo('streams/detail')[0]?.body).toMatchObject({ app: 'live', stream: 'show', since: 0 });
  await waitFor(() => expect(server.callsTo('streams/detail')[1]?.body).toMatchObject({ since: 1_002_000 }), {
    timeout: 20_000,
  });
  await user.click(charts.getByText('24 hours'));
  expect(address()).toBe('/en/routers-scenario?tab=live&stream=live%2Fshow&span=24h');
  await waitFor(() => expect(server.callsTo('streams/history')).toHaveLength(1));
});

it('lists the features that use the stream, with states and links', async () => {
  const server = liveServer();
  server
    .answer('/terraform/v1/ffmpeg/forward/streams', [
      { platform: 'wx', enabled: true, custom: false, label: '', stream: 'live/show', process },
      { platform: 'bilibili', enabled: true, custom: false, label: '', stream: 'live/other', process },
    ])
    .answer('/terraform/v1/ffmpeg/transcode/task', {
      uuid: 'u',
      enabled: true,
      input: 'live/show',
      output: 'rtmp://localhost/live/small',
      outputStream: 'live/small',
      process: { ...process, state: 'failing', failures: 3 },
    })
    .answer('/terraform/v1/hooks/record/query', { all: true, globs: ['/live/x*'] });
  openPage();
  const feeds = await region('Outputs');
  const textOf = async (name: RegExp) => (await feeds.findByText(name)).closest('li')?.textContent;
  expect(await textOf(/^To YouTube/)).toMatch(/Live/);
  expect(feeds.queryByText(/Twitch|Bilibili/)).toBeNull();
  expect(await textOf(/^Transcode$/)).toMatch(/live\/small.*Failing/);
  expect(await textOf(/^HLS$/)).toMatch(/Short segments/);
  expect(feeds.getByRole('link', { name: 'live/small' }).getAttribute('href')).toBe(
    '/mgmt/en/routers-scenario?tab=live&stream=live/small',
  );
  // Features that are off have no row.
  expect(feeds.queryByRole('link', { name: 'Open Record' })).toBeNull();
  expect(feeds.queryByRole('link', { name: 'Open OCR' })).toBeNull();
  const actions = within(screen.getByRole('toolbar', { name: 'Actions' }));
  expect(actions.getByRole('link', { name: 'Add destination 1 set up' }).getAttribute('href')).toMatch(/tab=forward$/);
  expect(actions.getByRole('link', { name: 'Subtitles Off' }).getAttribute('href')).toMatch(/tab=transcript$/);
  expect(actions.getByRole('button', { name: 'Record Off' }).getAttribute('aria-pressed')).toBe('false');
});

const recordApi = '/terraform/v1/hooks/record';

it('records the stream by its name, and stops it again', async () => {
  const rules = (...more: string[]) => ({ all: true, globs: ['/live/x*', ...more] });
  const server = liveServer().answer(`${recordApi}/query`, rules());
  server.accept(`${recordApi}/stream`, () => server.answer(`${recordApi}/query`, rules('/live/show')));
  const user = openPage();
  await user.click(await screen.findByRole('button', { name: 'Record Off' }));
  const on = await screen.findByRole('button', { name: 'Record Starts in a few seconds' });
  expect(on.getAttribute('aria-pressed')).toBe('true');
  server.accept(`${recordApi}/stream`, () => server.answer(`${recordApi}/query`, rules()));
  await user.click(on);
  await screen.findByRole('button', { name: 'Record Off' });
  expect(server.callsTo(`${recordApi}/stream`).map(({ body }) => body)).toEqual([
    { app: 'live', stream: 'show', record: true },
    { app: 'live', stream: 'show', record: false },
  ]);
});

it('asks before it turns on recording for streams that other rules match too', async () => {
  const server = liveServer().answer(`${recordApi}/query`, { all: false, globs: ['/live/x*'] });
  server.answer(`${recordApi}/stream`, null);
  const user = openPage();
  await user.click(await screen.findByRole('button', { name: 'Record Off' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Record live/show' }));
  expect(dialog.getByText(/\/live\/x\*/)).toBeDefined();
  expect(server.callsTo(`${recordApi}/stream`)).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Start recording' }));
  await waitFor(() => expect(server.callsTo(`${recordApi}/stream`)).toHaveLength(1));
});

it.each([
  [['/live/*'], 'Record by rule /live/*'],
  [[], 'Record All streams are recorded'],
])('leads to the rules where %j records the stream', async (globs, name) => {
  liveServer().answer(`${recordApi}/query`, { all: true, globs });
  openPage();
  expect((await screen.findByRole('link', { name })).getAttribute('href')).toMatch(/tab=record$/);
});

it('tries a failing destination again, and turns it off', async () => {
  const slot = { platform: 'wx', enabled: true, custom: false, label: '', server: 'rtmp://a.example/x', secret: 'key' };
  const failing = { ...process, state: 'failing', failures: 4, starts: 4 };
  const server = liveServer()
    .answer('/terraform/v1/ffmpeg/forward/streams', [{ ...slot, stream: 'live/show', process: failing }])
    .answer('/terraform/v1/ffmpeg/forward/secret', { wx: slot });
  const user = openPage();
  const feeds = await region('Outputs');
  expect(await feeds.findByText('a.example')).toBeDefined();
  expect(feeds.getByRole('button', { name: /^Log/ })).toBeDefined();
  const sent = () =>
    server
      .callsTo('/terraform/v1/ffmpeg/forward/secret')
      .map(({ body }) => body as { action?: string; enabled?: boolean })
      .filter(({ action }) => action === 'update')
      .map(({ enabled }) => enabled);
  await user.click(feeds.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(sent()).toEqual([false, true]));
  await user.click(feeds.getByRole('switch', { name: 'Forward to YouTube' }));
  await waitFor(() => expect(sent()).toEqual([false, true, false]));
});

it('says how old its numbers are once they are older than two seconds', async () => {
  liveServer();
  openPage();
  const figures = await screen.findByLabelText('Live statistics');
  expect(within(figures).getByText('Updated every second')).toBeDefined();
  expect(await within(figures).findByText(/ old$/, {}, { timeout: 8000 })).toBeDefined();
});

it('pages through viewers and disconnects one after confirmation', async () => {
  const many = Array.from({ length: 23 }, (_, index) =>
    viewer({ id: `v${index}`, address: `198.51.100.${index}`, since: `2026-01-01T00:00:${10 + index}.000Z` }),
  );
  const server = liveServer().answer('streams/viewers/kickoff', null);
  server.answer('streams/detail', {
    live: activeStream(),
    samples,
    viewers: many.toReversed(),
    diagnosis: { verdict: 'none', issues: [] },
  });
  const user = openPage();
  const panel = await region('Viewers');
  expect(panel.getAllByRole('row')).toHaveLength(21);
  expect(panel.getByText('198.51.100.0')).toBeDefined();
  await user.click(panel.getByRole('button', { name: 'Next' }));
  expect(panel.getByText('21–23 of 23')).toBeDefined();
  expect(panel.getAllByRole('row')).toHaveLength(4);
  await user.click(panel.getByRole('button', { name: 'Disconnect viewer 198.51.100.21' }));
  const dialog = await screen.findByRole('dialog', { name: 'Disconnect viewer 198.51.100.21' });
  expect(server.callsTo('streams/viewers/kickoff')).toHaveLength(0);
  await user.click(await within(dialog).findByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Viewer 198.51.100.21 disconnected')).toBeDefined();
  expect(server.callsTo('streams/viewers/kickoff')[0]?.body).toEqual({
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'show',
    id: 'v21',
  });
});

it('shows addresses, QR codes and an embed frame without the secret', async () => {
  liveServer();
  const user = openPage();
  const share = await region('Playback URLs');
  expect(share.getByLabelText('HLS URL')).toHaveProperty('value', expect.stringMatching(/\/live\/show\.m3u8$/));
  await user.click(share.getByText('640'));
  const code = share.getByLabelText('Embed code');
  expect(code).toHaveProperty('value', expect.stringMatching(/^<iframe src=".*xgplayer\.html\?url=.*width="640"/));
  await user.click(share.getByRole('button', { name: 'QR code: HLS URL' }));
  expect(await share.findByRole('img', { name: 'QR code: HLS URL' })).toBeDefined();
  expect(document.body.innerHTML).not.toContain('secret=');
});

it('keeps the data of an ended stream, and returns from the guide', async () => {
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
  const ended = { ...place, publishedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:32.000Z' };
  const server = liveServer().answer('streams/query', { streams: [], ended: [ended] });
  server.answer('streams/detail', { live: null, samples, viewers: [], diagnosis: { verdict: 'none', issues: [] } });
  const user = openPage();
  const head = await region('live/show');
  expect(screen.getAllByText(/^Ended .* after 32 sec$/)).toHaveLength(1);
  expect(head.getByText('This stream is not live')).toBeDefined();
  expect(headText()).toBe('live/showNot live');
  await waitFor(() => expect(server.callsTo('streams/history')).toHaveLength(1));
  expect(screen.queryByRole('region', { name: 'Viewers' })).toBeNull();
  await user.click(screen.getByRole('tab', { name: 'Live guide' }));
  expect(await screen.findByRole('region', { name: 'Your stream' })).toBeDefined();
  act(() => window.history.back());
  expect(await screen.findByRole('region', { name: 'live/show' })).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Your stream' })).toBeNull();
});

it('marks slow viewers', async () => {
  const detail = { live: activeStream(), samples, diagnosis: { verdict: 'good', issues: [] } };
  const viewers = [
    viewer({ behindMs: 120 }),
    viewer({ id: 'v2', address: '198.51.100.8', behindMs: 6500, isSlow: true }),
  ];
  liveServer().answer('streams/detail', { ...detail, viewers });
  openPage();
  const panel = await region('Viewers');
  expect(await panel.findByText('1 behind')).toBeDefined();
  expect(panel.getByText(/6\.5.*slow/)).toBeDefined();
  expect(panel.getByText('120 ms')).toBeDefined();
});
