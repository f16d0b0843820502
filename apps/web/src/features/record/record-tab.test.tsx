import { screen, waitFor, within } from '@testing-library/react';
import type { Recording, RecordSettings } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { recordingFixture, settingsFixture } from './recording.fixture.ts';

const api = '/terraform/v1/hooks/record';
const link = {
  query: 'sign=abc',
  expireAt: '2026-03-01T15:00:00.000Z',
  m3u8: `${api}/hls/r1.m3u8?sign=abc`,
  mp4: `${api}/hls/r1/index.mp4?sign=abc`,
  thumbnail: `${api}/hls/r1/index.jpg?sign=abc`,
};

async function openTab(
  settings: Partial<RecordSettings> = {},
  recordings: Recording[] = [],
  streams = [activeStream({ stream: 'now' })],
  hash = '',
) {
  const server = new FakeServer()
    .answer(`${api}/query`, settingsFixture(settings))
    .answer(`${api}/files`, recordings)
    .answer(`${api}/sign`, link)
    .answer('streams/query', { streams });
  for (const call of ['apply', 'globs', 'post-processing', 'storage', 'end', 'remove', 'retry']) {
    server.answer(`${api}/${call}`, null);
  }
  saveCredentials(session);
  const user = renderConsole(`/en/routers-scenario?tab=record${hash}`);
  // The first test also loads the page's code.
  await screen.findByRole('heading', { level: 2, name: 'Settings' });
  /** Pastes, because typing would render the page for every letter. */
  const fill = async (field: HTMLElement, text: string) => {
    await user.clear(field);
    await user.click(field);
    await user.paste(text);
  };
  const open = async (name: string) => user.click(await screen.findByRole('button', { name }));
  /** Menus need a layout, which tests lack; they stay hidden to queries by role. */
  const pick = async (name: string) => user.click(await screen.findByRole('menuitem', { name, hidden: true }));
  return { server, user, fill, open, pick };
}

const bodyOf = (server: FakeServer, call: string) => server.callsTo(`${api}/${call}`).at(-1)?.body;

it("shows the library before the settings, and the server's state on the switch", async () => {
  const { server, user } = await openTab();
  const start = await screen.findByRole('button', { name: 'Start recording' });
  const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(titles).toEqual(['Recordings', 'Settings', 'Rules', 'Storage', 'Directory']);
  const closed = ['Rules', 'Storage', 'Directory'].map((name) => screen.getByRole('button', { name }));
  expect(closed.map((button) => button.getAttribute('aria-expanded'))).toEqual(['false', 'false', 'false']);
  server.refuse(`${api}/apply`, 500, 1);
  await user.click(start);
  await screen.findByText('You got an error!');
  expect(screen.getByRole('button', { name: 'Start recording' })).toBeDefined();
  server.accept(`${api}/apply`, () => server.answer(`${api}/query`, settingsFixture({ all: true })));
  await user.click(screen.getByRole('button', { name: 'Start recording' }));
  await screen.findByRole('button', { name: 'Stop recording' });
  expect(bodyOf(server, 'apply')).toEqual({ all: true });
});

it('tests a URL against unsaved patterns and shows the live streams they match', async () => {
  const streams = [activeStream(), activeStream({ stream: 'other', client_id: 'c2' })];
  const { server, user, fill, open } = await openTab({}, [], streams);
  await open('Rules');
  await user.click(await screen.findByRole('button', { name: 'Test patterns' }));
  const test = () => user.click(screen.getByRole('button', { name: 'Test URL' }));
  await test();
  expect(screen.getByText('Enter a URL to test.')).toBeDefined();
  await fill(screen.getByLabelText('URL to test'), 'rtmp://host/live/show?secret=x');
  await test();
  expect(screen.getByText(/^Enter at least one pattern/)).toBeDefined();
  await fill(screen.getByLabelText('Stream patterns'), '/live/sh*\n/x/*');
  await test();
  expect(screen.getByText('OK! URL rtmp://host/live/show?secret=x is matched by glob filter: /live/sh*')).toBeDefined();
  await fill(screen.getByLabelText('URL to test'), 'rtmp://host/live/other');
  await test();
  expect(screen.getByText('Failed! URL rtmp://host/live/other is not matched by any glob filters!')).toBeDefined();
  const rules = within(screen.getByRole('region', { name: 'Rules' }));
  expect(await rules.findByText('Will be recorded, matched by /live/sh*')).toBeDefined();
  expect(rules.getByText('Not recorded')).toBeDefined();
  expect(server.callsTo(`${api}/globs`)).toHaveLength(0);
});

it('saves patterns, refuses missing and invalid ones, and returns to all streams', async () => {
  const { server, user, fill, open } = await openTab({ globs: ['/live/*'] });
  await open('Rules');
  const field = await screen.findByLabelText('Stream patterns');
  const save = () => user.click(screen.getByRole('button', { name: 'Save patterns' }));
  await user.clear(field);
  await save();
  expect(screen.getByText(/^Enter at least one pattern/)).toBeDefined();
  await fill(field, '/a/*\n/live/[a');
  await save();
  expect(screen.getByText('Line 2: [ without ].')).toBeDefined();
  expect(server.callsTo(`${api}/globs`)).toHaveLength(0);
  await fill(field, ' /a/* \n\n/live/b');
  server.refuse(`${api}/globs`, 500, 1007);
  await save();
  await screen.findByText('You got an error!');
  expect(field).toHaveProperty('value', ' /a/* \n\n/live/b');
  server.answer(`${api}/globs`, null);
  await save();
  // Notifications of earlier calls may still be visible.
  await waitFor(() => expect(server.callsTo(`${api}/globs`)).toHaveLength(2));
  expect(bodyOf(server, 'globs')).toEqual({ globs: ['/a/*', '/live/b'] });
  await user.click(screen.getByRole('button', { name: 'Record all streams' }));
  await waitFor(() => expect(bodyOf(server, 'globs')).toEqual({ globs: [] }));
});

it('keeps finished files where they are by default, and shows why a directory is refused', async () => {
  const { server, user, open } = await openTab();
  await open('Rules');
  const save = () => user.click(screen.getByRole('button', { name: 'Save post-processing' }));
  const choice = await screen.findByLabelText('After recording');
  expect(choice).toHaveProperty('value', 'none');
  await user.selectOptions(choice, 'post-cp-file');
  const directory = screen.getByLabelText('Copy directory');
  expect(directory).toHaveProperty('value', '/data/srs-s3-bucket');
  server.refuse(`${api}/post-processing`, 422, 1004);
  await save();
  expect(await screen.findByText("This directory can't be used: refused")).toBeDefined();
  expect(directory).toHaveProperty('value', '/data/srs-s3-bucket');
  server.answer(`${api}/post-processing`, null);
  await save();
  await waitFor(() =>
    expect(bodyOf(server, 'post-processing')).toEqual({
      postProcess: 'post-cp-file',
      postCpDir: '/data/srs-s3-bucket',
    }),
  );
});

it('saves the segment format at once', async () => {
  const { server, user, open } = await openTab();
  await open('Rules');
  server.answer(`${api}/segment-format`, null).answer(`${api}/query`, settingsFixture({ segmentFormat: 'fmp4' }));
  await user.selectOptions(await screen.findByLabelText('Segment format'), 'Fragmented MP4');
  await waitFor(() => expect(bodyOf(server, 'segment-format')).toEqual({ segmentFormat: 'fmp4' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Segment format').value).toBe('fmp4'));
});

it('saves which qualities are recorded, names them in the list, and keeps at least one', async () => {
  const recording = recordingFixture({ state: 'recording', quality: '480p', stream: 'now' });
  const { server, user, open } = await openTab({ all: true }, [recording]);
  expect(await screen.findByRole('button', { name: 'Play live/now · 480p' })).toBeDefined();
  await open('Rules');
  const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });
  expect((await box('Source')).disabled).toBe(true);
  const changed = settingsFixture({ qualities: ['source', '480p'] });
  server.accept(`${api}/qualities`, () => server.answer(`${api}/query`, changed));
  await user.click(await box('480p'));
  await waitFor(() => expect(bodyOf(server, 'qualities')).toEqual({ qualities: ['source', '480p'] }));
  await waitFor(async () => expect((await box('Source')).disabled).toBe(false));
});

it('saves storage rules, and shows a forecast and an alarm', async () => {
  const { storage } = settingsFixture();
  const { server, user, fill, open } = await openTab({
    all: true,
    storage: { ...storage, state: 'stopped', limit: 'quota', since: '2026-03-01T08:00:00.000Z' },
  });
  expect(await screen.findByText('Recording stopped: no space left')).toBeDefined();
  await open('Storage');
  expect(await screen.findByText('Full in about 29 days at the current rate')).toBeDefined();
  await fill(screen.getByLabelText('Maximum size of all recordings'), 'much');
  await user.click(screen.getByRole('button', { name: 'Save storage rules' }));
  expect(screen.getByText(/^Enter a size in gigabytes/)).toBeDefined();
  await fill(screen.getByLabelText('Maximum size of all recordings'), '1.5');
  await user.selectOptions(screen.getByLabelText('When space runs out'), 'delete-oldest');
  await user.click(screen.getByLabelText('Keep the segments of finished recordings'));
  await user.click(screen.getByRole('button', { name: 'Save storage rules' }));
  await waitFor(() =>
    expect(bodyOf(server, 'storage')).toEqual({
      floorBytes: 0,
      quotaBytes: 1_500_000_000,
      keepDays: 0,
      keepBytes: 0,
      atLimit: 'delete-oldest',
      keepSegments: true,
    }),
  );
});

const library = [
  recordingFixture({ uuid: 'r1', thumbnail: true }),
  recordingFixture({ uuid: 'r2', state: 'recording', stream: 'now', startedAt: '2026-03-02T08:00:00.000Z' }),
  recordingFixture({ uuid: 'r5', state: 'recording', stream: 'gone' }),
  recordingFixture({ uuid: 'r3', state: 'finishing', stream: 'busy', percent: 42 }),
  recordingFixture({
    uuid: 'r4',
    state: 'failed',
    stream: 'broken',
    failure: 'no-space',
    error: 'needs 12 MB',
    lost: 2,
    startedAt: '2026-02-01T08:00:00.000Z',
  }),
];

it('lists recordings with their states and problems', async () => {
  const { server, open } = await openTab({ all: true }, library);
  const table = within(await screen.findByRole('table', { name: 'Recordings' }));
  const now = within(screen.getByRole('region', { name: 'Recording now' }));
  expect(now.getByText(/^Recording \d+:\d\d:\d\d$/)).toBeDefined();
  expect(now.getByText(/^Since \d\d:\d\d$/)).toBeDefined();
  expect(now.getByText('Stream stopped')).toBeDefined();
  expect(now.getAllByRole('listitem')).toHaveLength(2);
  expect(table.getByText('Creating MP4 42 %')).toBeDefined();
  expect(table.getByText(/^Not enough disk space for the MP4 file/)).toBeDefined();
  expect(table.getByText('needs 12 MB')).toBeDefined();
  expect(table.getByText('2 segments are missing because the disk was full or too slow.')).toBeDefined();
  await waitFor(() => expect(document.querySelector('table img')?.getAttribute('src')).toBe(link.thumbnail));
  await open('Try again: live/broken');
  await waitFor(() => expect(bodyOf(server, 'retry')).toEqual({ uuid: 'r4' }));
});

it('finds recordings by stream and day', async () => {
  const { user, fill } = await openTab({ all: true }, library);
  const table = within(await screen.findByRole('table', { name: 'Recordings' }));
  await user.selectOptions(screen.getByLabelText('Stream'), 'live/broken');
  expect(table.getAllByRole('row')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Show all' }));
  await fill(screen.getByLabelText('From'), '2026-03-01');
  expect(table.getAllByRole('row')).toHaveLength(3);
  await fill(screen.getByLabelText('From'), '2027-01-01');
  expect(screen.getByText('No matching recordings')).toBeDefined();
});

it('deletes selected recordings after naming their size', async () => {
  const { server, user } = await openTab({ all: true }, library);
  await screen.findByRole('table', { name: 'Recordings' });
  expect(screen.getByLabelText('Select live/busy')).toHaveProperty('disabled', true);
  await user.click(screen.getByLabelText('Select all 2 finished recordings'));
  await user.click(screen.getByRole('button', { name: 'Delete 2 recordings, 23 MB' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 2 recordings, 23 MB' }));
  expect(dialog.getByText(/live\/show .*live\/broken/)).toBeDefined();
  expect(server.callsTo(`${api}/remove`)).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('2 recordings deleted')).toBeDefined();
  expect(server.callsTo(`${api}/remove`).map(({ body }) => body)).toEqual([{ uuid: 'r1' }, { uuid: 'r4' }]);
});

it('shows the same size in the list and the details, also while file and segments are both on the disk', async () => {
  const { open } = await openTab({ all: true }, [recordingFixture({ uuid: 'r1' })]);
  const table = within(await screen.findByRole('table', { name: 'Recordings' }));
  expect(table.getByText('11 MB')).toBeDefined();
  await open('live/show');
  const sheet = within(await screen.findByRole('dialog', { name: 'live/show' }));
  expect(sheet.getByText('11 MB')).toBeDefined();
});

it('shows the same length of a recording that runs in the list and the details, segments finished or not', async () => {
  // A busy machine may take ten seconds until it looks.
  const startedAt = new Date(Date.now() - 75_000).toISOString();
  const { open, pick } = await openTab({ all: true }, [
    recordingFixture({ stream: 'now', state: 'recording', startedAt, duration: 60 }),
  ]);
  const now = within(await screen.findByRole('region', { name: 'Recording now' }));
  expect(now.getByText(/^Recording 1:(1[5-9]|[2-5]\d)$/)).toBeDefined();
  await open('More actions for live/now');
  await pick('Details');
  const sheet = within(await screen.findByRole('dialog', { name: 'live/now' }));
  expect(sheet.getByText(/^1 min (1[5-9]|[2-5]\d) sec$/)).toBeDefined();
});

it('offers no selection while no recording is finished', async () => {
  await openTab({ all: true }, [recordingFixture({ uuid: 'r2', state: 'finishing' })]);
  await screen.findByRole('table', { name: 'Recordings' });
  expect(screen.queryByLabelText(/^Select all/)).toBeNull();
});

it('ends a recording after a confirmation and reloads the list', async () => {
  const { server, user, open, pick } = await openTab({ all: true }, library);
  await open('More actions for live/now');
  expect(screen.queryByRole('menuitem', { name: 'Delete', hidden: true })).toBeNull();
  await pick('End recording');
  const dialog = within(await screen.findByRole('dialog'));
  const before = server.callsTo(`${api}/files`).length;
  await user.click(dialog.getByRole('button', { name: 'End recording' }));
  await waitFor(() => expect(bodyOf(server, 'end')).toEqual({ uuid: 'r2' }));
  await waitFor(() => expect(server.callsTo(`${api}/files`).length).toBeGreaterThan(before));
});

it('plays a recording by a link and shows how long it is valid', async () => {
  const { open } = await openTab({ all: true }, library);
  await open('Play live/show');
  const dialog = within(await screen.findByRole('dialog', { name: 'live/show' }));
  await waitFor(() => expect(document.querySelector('video')?.getAttribute('src')).toBe(link.mp4));
  const mp4 = `${window.location.origin}${link.mp4}`;
  expect(dialog.getByLabelText('Watch page')).toHaveProperty('value', watchPageOf(mp4));
  expect(dialog.getByText(/^Until 2026-03-01/)).toBeDefined();
  expect(dialog.getByRole('link', { name: 'Download MP4' }).getAttribute('download')).toMatch(
    /^live-show-2026-03-01T08-00-00\.mp4$/,
  );
  await open('Details');
  const links = async (name: string) => (await screen.findByLabelText<HTMLInputElement>(name)).value;
  expect(await links('MP4 link')).toBe(mp4);
  expect(await links('HLS link')).toBe(`${window.location.origin}${link.m3u8}`);
  expect(await links('URL')).toBe(`${window.location.origin}${api}/hls/r1/index.mp4`);
});

const watchPageOf = (url: string) =>
  `${window.location.origin}/tools/player.html?${new URLSearchParams({ url, title: 'live/show' })}`;

it('copies the links of the watch page, the playlist and the file', async () => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  const { open, pick } = await openTab({ all: true }, [recordingFixture({ uuid: 'r1' })]);
  for (const name of ['Copy watch link', 'Copy HLS link', 'Copy MP4 link']) {
    await open('More actions for live/show');
    await pick(name);
  }
  const whole = (path: string) => `${window.location.origin}${path}`;
  await waitFor(() => expect(copied).toEqual([watchPageOf(whole(link.mp4)), whole(link.m3u8), whole(link.mp4)]));
  expect(await screen.findAllByText('Copied. The link works for 6 hours without signing in.')).not.toEqual([]);
});

it('numbers recordings and copies the URL of each by a click', async () => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  const { open } = await openTab({ all: true }, library);
  const table = within(await screen.findByRole('table', { name: 'Recordings' }));
  const titles = table.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect([titles[0], titles.at(-2)]).toEqual(['#', 'URL']);
  expect(table.getAllByRole('row').map((row) => row.querySelector('td')?.textContent)).toEqual([
    undefined,
    '1',
    '2',
    '3',
  ]);
  await open('Copy the URL of live/show: r1/index.mp4');
  await open('Copy the URL of live/now: r2.m3u8');
  const urls = ['r1/index.mp4', 'r2.m3u8'].map((path) => `${window.location.origin}${api}/hls/${path}`);
  await waitFor(() => expect(copied).toEqual(urls));
});

it('says which live streams would be recorded while recording is off', async () => {
  const { server, user } = await openTab();
  expect(await screen.findByText('Will be recorded')).toBeDefined();
  expect(screen.queryByText('Being recorded')).toBeNull();
  server.accept(`${api}/apply`, () => server.answer(`${api}/query`, settingsFixture({ all: true })));
  await user.click(screen.getByRole('button', { name: 'Start recording' }));
  // Before the first segment a live stream is neither recorded nor waited for.
  expect(await screen.findAllByText('Starts in a few seconds')).toHaveLength(2);
  for (const text of ['Will be recorded', 'Being recorded', 'Waiting for a stream']) {
    expect(screen.queryByText(text)).toBeNull();
  }
});

it('waits for a stream while no live one matches the patterns', async () => {
  await openTab({ all: true, globs: ['/other/*'] });
  expect(await screen.findByText('Waiting for a stream')).toBeDefined();
  expect(await screen.findByText('Not recorded')).toBeDefined();
});

it('promises no recording while the disk is full', async () => {
  await openTab({ all: true, storage: { ...settingsFixture().storage, state: 'stopped', limit: 'floor' } });
  expect(await screen.findByText('Will be recorded')).toBeDefined();
  expect(screen.queryByText(/^Waiting for a stream$|^Starts in/)).toBeNull();
});

it("opens the settings that a link to the specification's panel names", async () => {
  await openTab({ all: true }, [], [], '#panel-5');
  expect(screen.getByRole('button', { name: 'Storage' }).getAttribute('aria-expanded')).toBe('true');
  expect(await screen.findByLabelText('Days to keep')).toBeDefined();
});

it('explains what to do while there are no recordings', async () => {
  await openTab({ all: true });
  expect(await screen.findByText(/^Publish a stream that matches the rules/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'How to publish' }).getAttribute('href')).toContain('tab=live');
  expect(screen.getAllByRole('button', { name: 'Stop recording' })).toHaveLength(1);
});
