import { screen, waitFor, within } from '@testing-library/react';
import type { Source, VliveOutlet } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, publishSecret, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const api = '/terraform/v1/ffmpeg/vlive';
const format = {
  start_time: '0',
  duration: '10.04',
  bit_rate: '1200000',
  nb_streams: 2,
  probe_score: 100,
  has_video: true,
  has_audio: true,
};
const track = { profile: 'High', bit_rate: '', start_time: '', duration: '' };
const film = (uuid: string, name: string, type: Source['type'] = 'upload'): Source => ({
  uuid,
  name,
  type,
  path: name,
  size: 1_500_000,
  target: `vlive/${uuid}.mp4`,
  format,
  video: {
    ...track,
    codec_type: 'video',
    codec_name: 'h264',
    pix_fmt: 'yuv420p',
    width: 1280,
    height: 720,
    level: 31,
    fps: 25,
  },
  audio: {
    ...track,
    codec_type: 'audio',
    codec_name: 'aac',
    sample_fmt: 'fltp',
    sample_rate: '44100',
    channel_layout: 'stereo',
    channels: 2,
  },
});
const slot = (facts: Partial<VliveOutlet> = {}): VliveOutlet => ({
  platform: 'wx',
  server: 'rtmp://to.test/live',
  secret: 'key',
  enabled: false,
  custom: false,
  label: '',
  files: [],
  ...facts,
});

function openTab(saved: VliveOutlet[] = [], locale = 'en') {
  saveCredentials(session);
  const server = new FakeServer()
    .answer('envs', { vLiveLimit: 4, rtmpPort: '1935', srtPort: '10080', httpPort: '' })
    .answer(`${api}/secret`, Object.fromEntries(saved.map((one) => [one.platform, one])))
    .answer(`${api}/streams`, [])
    .answer(`${api}/library/picture`, { reason: 'no-video' })
    .answer(`${api}/uploads/query`, [])
    .answer(`${api}/downloads/query`, [])
    .answer(`${api}/library/query`, []);
  return { server, user: renderConsole(`/${locale}/routers-scenario?tab=vlive`) };
}
/** Pastes, because typing letter by letter is slow. */
async function type(user: ReturnType<typeof openTab>['user'], field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text.replace('{Enter}', ''));
  if (text.endsWith('{Enter}')) await user.keyboard('{Enter}');
}
const sheet = async (user: ReturnType<typeof openTab>['user'], name = 'Add virtual live') => {
  // The button moves into the page once it is known to be empty.
  const button = await waitFor(() => {
    const [found] = screen.getAllByRole('button', { name });
    expect(found).toHaveProperty('disabled', false);
    return found as HTMLElement;
  });
  await user.click(button);
  return within(await screen.findByRole('dialog', { name }));
};
const holder = /^vlive-4-[0-9a-f]{6}$/;

it('offers this server as the target, and shows missing fields', async () => {
  const { user, server } = openTab();
  const form = await sheet(user);
  expect(form.getByRole('radio', { name: 'This server' }).getAttribute('aria-checked')).toBe('true');
  await user.click(form.getByRole('radio', { name: 'Kuaishou' }));
  await user.click(await form.findByRole('button', { name: 'Start' }));
  expect(await form.findByText('Choose at least one file or stream.')).toBeDefined();
  expect(form.getByText('Enter the server address.')).toBeDefined();
  expect(form.getByRole('button', { name: 'Upload' })).toHaveProperty('disabled', true);

  await user.click(form.getByRole('radio', { name: 'Server file' }));
  const use = () => user.click(form.getByRole('button', { name: 'Use' }));
  await use();
  expect(form.getByText('Enter the file path.')).toBeDefined();
  const path = form.getByRole('textbox', { name: 'Path on the server' });
  await type(user, path, '/etc/film.mp4');
  expect(form.getByText(/^The path must start with \/data\//)).toBeDefined();
  await user.clear(path);
  await type(user, path, '/data/film.exe');
  expect(form.getByText(/^The file extension must be one of: .mp4 .flv/)).toBeDefined();

  await user.click(form.getByRole('radio', { name: 'Web video' }));
  await user.click(form.getByRole('button', { name: 'Download' }));
  expect(form.getByText('Enter the URL of the web page.')).toBeDefined();
  await type(user, form.getByRole('textbox', { name: 'Web page URL' }), 'ftp://a');
  expect(form.getByText('The URL must start with http:// or https://.')).toBeDefined();

  await user.click(form.getByRole('radio', { name: 'Live stream' }));
  await use();
  expect(form.getByText('Enter the stream URL.')).toBeDefined();
  const url = form.getByRole('textbox', { name: 'Stream URL' });
  await type(user, url, 'ftp://a');
  expect(form.getByText(/^The URL must start with rtmp:/)).toBeDefined();
  await user.clear(url);
  await type(user, url, 'http://a/b.mp4');
  expect(form.getByText(/^An HTTP URL must contain \.flv, \.m3u8 or \.ts/)).toBeDefined();
  expect(
    server.calls.filter(({ path: called }) => /\/server$|stream-url|downloads\/begin|source$/.test(called)),
  ).toEqual([]);
});

it('adds a server file, shows its tracks, and names the stream after it', async () => {
  const { user, server } = openTab();
  const form = await sheet(user);
  await user.click(form.getByRole('radio', { name: 'Server file' }));
  server.answer(`${api}/server`, { name: 'Late film.mp4', uuid: 'u1', target: 'upload/u1.mp4', size: 5 });
  server.answer(`${api}/source`, { platform: 'wx', files: [film('u1', 'Late film.mp4', 'file')] });
  await type(user, form.getByRole('textbox', { name: 'Path on the server' }), '/data/film.mp4{Enter}');
  expect(await form.findByText('1.5 MB · 10 sec · H.264 · 1280 × 720 · 25 fps, AAC stereo 44.1 kHz')).toBeDefined();
  const given = server.callsTo(`${api}/source`)[0]?.body as { platform: string };
  expect(given).toEqual({
    platform: expect.stringMatching(holder),
    files: [
      { name: 'Late film.mp4', uuid: 'u1', target: 'upload/u1.mp4', size: 5, type: 'file', path: '/data/film.mp4' },
    ],
  });
  expect(form.getByLabelText(/^Name/)).toHaveProperty('value', 'Late film');
  expect(form.getByLabelText('Stream name')).toHaveProperty('value', 'late-film');
  await user.click(form.getByRole('button', { name: 'Start' }));
  await waitFor(() =>
    expect(server.callsTo(`${api}/secret`).map(({ body }) => body)).toContainEqual(
      expect.objectContaining({
        action: 'update',
        platform: given.platform,
        enabled: true,
        custom: true,
        label: 'Late film',
        server: 'rtmp://localhost/live/',
        secret: `late-film?secret=${publishSecret}`,
        files: [expect.objectContaining({ uuid: 'u1' })],
      }),
    ),
  );
});

it('moves a source to the slot of the chosen platform, and leaves nothing behind when cancelled', async () => {
  const { user, server } = openTab();
  const removed = () =>
    server
      .callsTo(`${api}/secret`)
      .map(({ body }) => body as { action?: string; platform?: string })
      .filter(({ action }) => action === 'remove');
  const take = async () => {
    const form = await sheet(user);
    await user.click(form.getByRole('radio', { name: 'Server file' }));
    await type(user, form.getByRole('textbox', { name: 'Path on the server' }), '/data/film.mp4{Enter}');
    await form.findByRole('button', { name: 'Change files' });
    return form;
  };
  server.answer(`${api}/server`, { name: 'film.mp4', uuid: 'u1', target: 'upload/u1.mp4', size: 5 });
  server.answer(`${api}/source`, { platform: 'wx', files: [film('u1', 'film.mp4', 'file')] });
  const form = await take();
  await user.click(form.getByRole('radio', { name: 'YouTube' }));
  await user.click(form.getByRole('button', { name: 'Save without starting' }));
  await waitFor(() => expect(removed()).toEqual([{ action: 'remove', platform: expect.stringMatching(holder) }]));
  expect(server.callsTo(`${api}/secret`).map(({ body }) => body)).toContainEqual(
    expect.objectContaining({ action: 'update', platform: 'wx', custom: false, enabled: false }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await take();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(removed()).toHaveLength(2));
});

it('explains a refused source and accepts another', async () => {
  const { user, server } = openTab();
  const form = await sheet(user);
  await user.click(await form.findByRole('radio', { name: 'Live stream' }));
  server
    .answer(`${api}/stream-url`, { name: 'x', uuid: 'u1', target: 'rtmp://a/b' })
    .refuse(`${api}/source`, 422, 1004);
  await type(user, form.getByRole('textbox', { name: 'Stream URL' }), 'rtmp://a/b{Enter}');
  expect(await form.findByText("This source can't be used")).toBeDefined();
  expect(screen.queryByText('You got an error!')).toBeNull();
  expect(form.getByRole('textbox', { name: 'Stream URL' })).toHaveProperty('value', 'rtmp://a/b');
});

it.each([
  ['login-refused', '401 Unauthorized', /user name or password was rejected/, /enter them here again/],
  ['video-codec', 'vp9', /The video codec vp9 is not supported/, /Set the camera to H\.264/],
  ['connection-refused', 'Connection refused', /connection was refused at this host and port/, /RTSP usually uses 554/],
])('explains a source that fails with %s, with the remedy', async (kind, fact, why, remedy) => {
  const { user, server } = openTab();
  const form = await sheet(user);
  await user.click(await form.findByRole('radio', { name: 'Live stream' }));
  server.answer(`${api}/stream-url`, { name: 'x', uuid: 'u1', target: 'rtsp://a/b' });
  const data = { message: 'the words of a program', why: { kind, fact } };
  server.answers.set(`${api}/source`, () => ({ status: 422, body: { code: 1004, data } }));
  await type(user, form.getByRole('textbox', { name: 'Stream URL' }), 'rtsp://a/b{Enter}');
  const alert = within(await form.findByRole('alert'));
  expect(alert.getByText(why)).toBeDefined();
  expect(alert.getByText(remedy)).toBeDefined();
  expect(alert.queryByText(/the words of a program/)).toBeNull();
});

it('offers the specified kinds of server files, and says where a missing one is expected', async () => {
  const { user, server } = openTab();
  const form = await sheet(user);
  await user.click(await form.findByRole('radio', { name: 'Server file' }));
  const path = form.getByRole('textbox', { name: 'Path on the server' });
  await type(user, path, '/data/film.mkv{Enter}');
  expect(await form.findByText('The file extension must be one of: .mp4 .flv .ts .m4a .mp3 .aac')).toBeDefined();
  const data = { message: 'file: is not there', why: { kind: 'file-missing', fact: '' } };
  server.answers.set(`${api}/server`, () => ({ status: 404, body: { code: 1003, data } }));
  await user.clear(path);
  await type(user, path, '/data/film.mp4{Enter}');
  expect(await form.findByText(/No file found at this path\. Check the spelling/)).toBeDefined();
});

const edit = async (user: ReturnType<typeof openTab>['user'], name: string) => {
  await user.click(await screen.findByRole('button', { name: `More for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: 'Edit', hidden: true }));
  return within(await screen.findByRole('dialog', { name: 'Edit virtual live' }));
};

it('saves reordered and removed files by their ids', async () => {
  const files = [film('u1', 'one.mp4'), film('u2', 'two.mp4'), film('u3', 'three.mp4')];
  const { user, server } = openTab([slot({ files })]);
  const form = await edit(user, 'YouTube');
  await user.click(await form.findByRole('button', { name: 'Move three.mp4 up' }));
  await user.click(form.getByRole('button', { name: 'Remove one.mp4' }));
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsTo(`${api}/secret`).length).toBeGreaterThan(1));
  const [, saved] = server.callsTo(`${api}/secret`);
  expect(saved?.body).toMatchObject({ action: 'update', platform: 'wx', files: [{ uuid: 'u3' }, { uuid: 'u2' }] });
});

it('keeps earlier files in a library and names their size before deleting', async () => {
  const { user, server } = openTab();
  const item = { created: '2026-01-01T00:00:00Z', usedBy: [] };
  server.answer(`${api}/library/query`, [
    { ...item, source: film('u1', 'one.mp4') },
    { ...item, source: film('u2', 'two.mp4'), usedBy: ['vlive/bilibili'] },
  ]);
  server
    .answer(`${api}/library/remove`, null)
    .answer(`${api}/source`, { platform: 'wx', files: [film('u2', 'two.mp4')] });
  const form = await sheet(user);
  await user.click(await form.findByRole('radio', { name: 'Library' }));
  const rows = within(await form.findByRole('list', { name: 'Library' })).getAllByRole('listitem');
  const [one, two] = rows.map((row) => within(row));
  expect(two?.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true);
  await user.click(one?.getByRole('button', { name: 'Delete' }) as HTMLElement);
  expect(await screen.findByText(/frees 1.5 MB/)).toBeDefined();
  await user.click(
    within(screen.getByRole('dialog', { name: 'Delete one.mp4?' })).getByRole('button', { name: 'Delete' }),
  );
  expect(await screen.findByText('Deleted')).toBeDefined();
  expect(server.callsTo(`${api}/library/remove`)[0]?.body).toEqual({ uuid: 'u1' });
  await user.click(two?.getByRole('button', { name: 'Use' }) as HTMLElement);
  expect(await form.findByRole('button', { name: 'Change files' })).toBeDefined();
});

it('shows the progress of a download in both languages', async () => {
  const { user, server } = openTab([], 'zh');
  server.answer(`${api}/downloads/query`, [
    {
      uuid: 'd1',
      host: 'example.com',
      name: '演唱会',
      state: 'running',
      percent: 42,
      bytes: 42e6,
      totalBytes: 100e6,
      bytesPerSecond: 1e6,
      started: '2026-01-01T00:00:00Z',
      error: '',
      file: null,
    },
  ]);
  const form = await sheet(user, '添加虚拟直播');
  await user.click(await form.findByRole('radio', { name: '网页视频' }));
  expect(await form.findByRole('progressbar', { name: '演唱会 的进度' })).toBeDefined();
  expect(form.getByText(/^42%/)).toBeDefined();
  expect(form.getByText(/8 Mbit\/s/)).toBeDefined();
});

it('recognizes a saved destination on this server, and sends elsewhere when asked', async () => {
  const own = { server: 'rtmp://localhost/live', secret: 'lobby?secret=older', label: 'Lobby', custom: true };
  const saved = slot({ platform: 'vlive-4-a1b2c3', files: [film('a', 'one.mp4')], ...own });
  const { user, server } = openTab([saved]);
  const lobby = (await screen.findByRole('button', { name: 'Lobby' })).closest('li');
  expect(lobby?.textContent).toContain('one.mp4 → this server (live/lobby)');
  const form = await edit(user, 'Lobby');
  const name = form.getByLabelText('Stream name');
  expect(name).toHaveProperty('value', 'lobby');
  await user.clear(name);
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText(/^Enter a stream name/)).toBeDefined();
  await user.click(form.getByRole('radio', { name: 'Twitch' }));
  await type(user, form.getByLabelText('Stream key'), 'abc');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.callsTo(`${api}/secret`).map(({ body }) => body)).toContainEqual(
      expect.objectContaining({
        platform: 'vlive-4-a1b2c3',
        custom: true,
        server: 'rtmp://live.twitch.tv/app',
        secret: 'abc',
      }),
    ),
  );
});

it('offers to finish a row that has a source but no target', async () => {
  const { user } = openTab([
    slot({ platform: 'vlive-4-a1b2c3', files: [film('a', 'one.mp4')], server: '', secret: '' }),
  ]);
  expect(await screen.findByText('Not finished')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Choose destination' }));
  const form = within(await screen.findByRole('dialog', { name: 'Add virtual live' }));
  expect(form.getByLabelText('Stream name')).toHaveProperty('value', 'one');
  expect(form.getByRole('button', { name: 'Start' })).toBeDefined();
});
