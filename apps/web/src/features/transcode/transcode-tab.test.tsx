import { screen, waitFor, within } from '@testing-library/react';
import { TranscodeConfig, type TranscodeTask, transcodeDefaults } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, publishSecret, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const api = (name: string) => `/terraform/v1/ffmpeg/${name}`;
const report: TranscodeTask['process'] = {
  state: 'off',
  since: '',
  failures: 0,
  starts: 0,
  failure: null,
  nextTry: '',
  lastExit: null,
  numbers: null,
};
const idle: TranscodeTask = { uuid: 'u', enabled: false, input: '', output: '', outputStream: '', process: report };
const saved = TranscodeConfig.parse({
  ...transcodeDefaults,
  all: true,
  vbitrate: 800,
  server: 'rtmp://localhost/live/',
  secret: 'show-trans?secret=x',
});

function newServer(config: TranscodeConfig = TranscodeConfig.parse({}), task: Partial<TranscodeTask> = {}) {
  return new FakeServer()
    .answer('envs', { rtmpPort: '1935', srtPort: '10080', httpPort: '' })
    .answer('streams/query', { streams: [activeStream()] })
    .answer(api('transcode/query'), config)
    .answer(api('transcode/task'), { ...idle, enabled: config.all, ...task })
    .answer(api('transcode/apply'), null);
}

function openTab() {
  saveCredentials(session);
  return renderConsole('/en/routers-scenario?tab=transcode');
}

it('proposes usual values and starts with one click', async () => {
  const server = newServer();
  const user = openTab();
  const form = await screen.findByRole('region', { name: 'Settings' });
  expect(within(form).getByLabelText('Video bitrate')).toHaveProperty('value', '1200');
  expect(within(form).getByLabelText('Source stream').textContent).toContain('live/show');
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  server.accept(api('transcode/apply'), () => server.answer(api('transcode/query'), saved));
  await user.click(screen.getByRole('button', { name: 'Start transcoding' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo(api('transcode/apply'))[0]?.body).toEqual({
    ...transcodeDefaults,
    all: true,
    stream: '',
    server: 'rtmp://localhost/live/',
    secret: `livestream-trans?secret=${publishSecret}`,
  });
  expect(await screen.findByRole('button', { name: 'Stop transcoding' })).toBeDefined();
});

it('shows a problem at its field and sends nothing', async () => {
  const server = newServer();
  const user = openTab();
  const bitrate = await screen.findByLabelText('Video bitrate');
  await user.clear(bitrate);
  await user.type(bitrate, '99');
  await user.click(screen.getByRole('button', { name: 'Start transcoding' }));
  expect(screen.getByText('Invalid vbitrate 99, should be in [100, 100000] Kbps')).toBeDefined();
  expect(bitrate.getAttribute('aria-invalid')).toBe('true');
  await user.clear(bitrate);
  await user.type(bitrate, '900');
  await user.selectOptions(screen.getByLabelText('Video profile'), '');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Invalid vprofile, should be baseline, main, high')).toBeDefined();
  expect(server.callsTo(api('transcode/apply'))).toHaveLength(0);
});

it('marks every field with a problem, and each until it is corrected', async () => {
  const server = newServer();
  const user = openTab();
  const bitrate = await screen.findByLabelText('Video bitrate');
  const audio = screen.getByLabelText('Audio bitrate');
  for (const [field, text] of [
    [bitrate, '99'],
    [audio, '5'],
  ] as const) {
    await user.clear(field);
    await user.type(field, text);
  }
  await user.click(screen.getByRole('button', { name: 'Start transcoding' }));
  expect(screen.getByText('Invalid vbitrate 99, should be in [100, 100000] Kbps')).toBeDefined();
  expect(screen.getByText('Invalid abitrate 5, should be in [10, 1000] Kbps')).toBeDefined();
  await user.type(bitrate, '0');
  expect(screen.queryByText(/^Invalid vbitrate/)).toBeNull();
  expect(screen.getByText(/^Invalid abitrate 5/)).toBeDefined();
  expect(server.callsTo(api('transcode/apply'))).toHaveLength(0);
});

it('does not offer its own output as a source', async () => {
  newServer().answer('streams/query', {
    streams: [activeStream(), activeStream({ stream: 'livestream-trans', client_id: 'client-2' })],
  });
  openTab();
  const options = [...(await screen.findByLabelText<HTMLSelectElement>('Source stream')).options];
  expect(options.map(({ text }) => text)).toEqual(['Newest live stream', 'live/show']);
});

it('stops without saving the typed fields', async () => {
  const server = newServer(saved, { process: { ...report, state: 'waiting' } });
  const user = openTab();
  expect(await screen.findByText(/Transcoding starts automatically/)).toBeDefined();
  const bitrate = await screen.findByLabelText('Video bitrate');
  expect(bitrate).toHaveProperty('value', '800');
  await user.clear(bitrate);
  await user.type(bitrate, '7');
  expect(screen.getByText('Unsaved changes')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Stop transcoding' }));
  await waitFor(() => expect(server.callsTo(api('transcode/apply'))[0]?.body).toEqual({ ...saved, all: false }));
  expect(bitrate).toHaveProperty('value', '7');
});

it('shows why the encoder fails, the remedy, the next try and the log', async () => {
  const failure = { cause: 'key-refused', detail: 'Server error: no', at: '2026-01-01T00:00:00.000Z' } as const;
  const nextTry = new Date(Date.now() + 30_000).toISOString();
  const lastExit = { at: failure.at, wanted: false, code: null, signal: 'SIGKILL', reason: '' };
  newServer(saved, {
    input: 'live/show',
    output: 'rtmp://a.test/live/***',
    process: { ...report, state: 'failing', failures: 3, starts: 3, failure, nextTry, lastExit },
  }).answer(api('log'), { lines: ['Server error: no', 'last words'] });
  const user = openTab();
  const status = within(await screen.findByRole('region', { name: 'Status' }));
  expect(status.getAllByText('Failing (3)').length).toBeGreaterThan(0);
  expect(status.getByText('The destination rejected the stream key.')).toBeDefined();
  expect(status.getByText(/Copy the stream key from the platform again\..*Next attempt in \d+ sec\./)).toBeDefined();
  expect(status.getByText(/^Last exit: Terminated by signal SIGKILL/)).toBeDefined();
  expect(status.getAllByRole('link', { name: 'Preview' })).toHaveLength(1);
  await user.click(status.getByRole('button', { name: 'Log of Transcode' }));
  expect(await screen.findByText(/last words/)).toBeDefined();
});

it('shows figures and a preview while live, and warns of a slow encoder', async () => {
  const numbers = { fps: 24.9, kbps: 1210, speed: 0.8, droppedFrames: 0, mediaMs: 65_000 };
  newServer(saved, {
    input: 'live/show',
    output: 'rtmp://localhost/live/show-trans?secret=***',
    outputStream: 'live/show-trans',
    frame: { log: 'frame=10 time=00:01:05.00 speed=0.8x', update: '2026-01-01T00:00:00.000Z' },
    process: { ...report, state: 'live', since: new Date().toISOString(), starts: 1, numbers },
  });
  openTab();
  const status = within(await screen.findByRole('region', { name: 'Status' }));
  expect(status.getAllByText(/1\.2.Mbit\/s/)).toHaveLength(2);
  expect(status.getByText('Too slow: running at 80 % of real time')).toBeDefined();
  expect(status.getByText('frame=10 time=00:01:05.00 speed=0.8x')).toBeDefined();
  const links = status.getAllByRole('link', { name: 'Preview' }).map((link) => link.getAttribute('href'));
  expect(links[1]).toContain('/live/show-trans.flv');
  expect(status.getByRole('region', { name: /show-trans/ })).toBeDefined();
});

it('sends the result to this server by name, or elsewhere by URL and key', async () => {
  const server = newServer();
  const user = openTab();
  const name = await screen.findByLabelText('Stream name');
  expect(name).toHaveProperty('value', 'livestream-trans');
  expect(screen.queryByLabelText('Output server')).toBeNull();
  await user.clear(name);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText(/^Enter a stream name/)).toBeDefined();
  await user.click(screen.getByLabelText('Stream name'));
  await user.paste('small');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.callsTo(api('transcode/apply'))[0]?.body).toMatchObject({
      server: 'rtmp://localhost/live/',
      secret: `small?secret=${publishSecret}`,
    }),
  );
  await user.click(screen.getByRole('radio', { name: 'Another server' }));
  expect(screen.getByLabelText('Output server')).toHaveProperty('value', '');
});

it('shows the encoder above its settings, and its state beside the button', async () => {
  newServer(saved, { process: { ...report, state: 'live', since: new Date().toISOString(), starts: 1 } });
  openTab();
  await screen.findByRole('heading', { name: 'Settings' });
  const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(titles).toEqual(['Status', 'Settings']);
  const beside = (await screen.findByRole('button', { name: 'Stop transcoding' })).parentElement;
  expect(beside && within(beside).getByRole('status').textContent).toBe('Live');
});
