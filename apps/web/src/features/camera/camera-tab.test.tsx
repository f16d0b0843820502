import { screen, waitFor, within } from '@testing-library/react';
import type { CameraOutlet, ProcessReport, Source } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, publishSecret, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const api = '/terraform/v1/ffmpeg/camera';
const picture = '/terraform/v1/ffmpeg/vlive/library/picture';
const track = { profile: 'High', bit_rate: '', start_time: '', duration: '' };
const camera: Source = {
  uuid: 'c1',
  name: 'stream1',
  type: 'stream',
  path: 'rtsp://viewer:secret@10.0.0.5:554/stream1',
  target: 'rtsp://viewer:secret@10.0.0.5:554/stream1',
  size: 0,
  format: {
    start_time: '',
    duration: '',
    bit_rate: '',
    nb_streams: 2,
    probe_score: 100,
    has_video: true,
    has_audio: true,
  },
  video: {
    ...track,
    codec_type: 'video',
    codec_name: 'h264',
    pix_fmt: 'yuv420p',
    width: 640,
    height: 360,
    level: 31,
    fps: 25,
  },
  audio: {
    ...track,
    codec_type: 'audio',
    codec_name: 'aac',
    sample_fmt: 'fltp',
    sample_rate: '16000',
    channel_layout: 'mono',
    channels: 1,
  },
};

const live: ProcessReport = {
  state: 'live',
  since: '',
  failures: 0,
  starts: 0,
  failure: null,
  nextTry: '',
  lastExit: null,
  numbers: null,
};

function openTab(saved: CameraOutlet[] = [], running: object[] = []) {
  saveCredentials(session);
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined }));
  const server = new FakeServer()
    .answer('envs', { cameraLimit: 5, rtmpPort: '1935', srtPort: '10080', httpPort: '' })
    .answer(`${api}/secret`, Object.fromEntries(saved.map((one) => [one.platform, one])))
    .answer(`${api}/streams`, running)
    .answer(`${api}/stream-url`, { name: 'stream1', uuid: 'c1', target: camera.target })
    .answer(`${api}/source`, { platform: 'camera-4-x', files: [camera] })
    .answer(picture, { reason: 'unreadable' });
  return { server, user: renderConsole('/en/routers-scenario?tab=camera') };
}
type User = ReturnType<typeof openTab>['user'];

const sheet = async (user: User) => {
  // The button moves into the page once it is known to be empty.
  const button = await waitFor(() => {
    const [found] = screen.getAllByRole('button', { name: 'Add camera' });
    expect(found).toHaveProperty('disabled', false);
    return found as HTMLElement;
  });
  await user.click(button);
  return within(await screen.findByRole('dialog', { name: 'Add camera' }));
};
/** Pastes, because typing letter by letter is slow. */
async function type(user: User, field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}

it('adds a camera by host, user and any password, and publishes it here', async () => {
  const { user, server } = openTab();
  const form = await sheet(user);
  await user.click(form.getByRole('radio', { name: 'Host, user, password' }));
  await user.click(form.getByRole('button', { name: 'Test camera' }));
  expect(await form.findByText('Enter the host name or IP address of the camera.')).toBeDefined();
  await type(user, form.getByLabelText('Host and port'), '10.0.0.5:554');
  await type(user, form.getByLabelText('Path'), '/stream1');
  await type(user, form.getByLabelText('User name'), 'Cam@Viewer');
  await type(user, form.getByLabelText('Password'), 'p@/ss?#%');
  await user.click(form.getByRole('button', { name: 'Test camera' }));
  expect(await form.findByText('Camera found')).toBeDefined();
  expect(form.getByText('H.264 · 640 × 360 · 25 fps, AAC mono 16 kHz')).toBeDefined();
  expect(server.callsTo(`${api}/stream-url`)[0]?.body).toEqual({
    url: 'rtsp://Cam%40Viewer:p%40%2Fss%3F%23%25@10.0.0.5:554/stream1',
  });
  await waitFor(() => expect(server.callsTo(picture)[0]?.body).toEqual({ uuid: 'c1' }));
  const name = form.getByLabelText(/^Name/);
  await user.clear(name);
  await type(user, name, 'Front door');
  expect(form.getByLabelText('Stream name')).toHaveProperty('value', 'front-door');
  expect(form.getByText(/live\/front-door/)).toBeDefined();
  await user.click(form.getByRole('button', { name: 'Start' }));
  await waitFor(() =>
    expect(server.callsTo(`${api}/secret`).map(({ body }) => body)).toContainEqual(
      expect.objectContaining({
        action: 'update',
        platform: expect.stringMatching(/^camera-4-[0-9a-f]{6}$/),
        enabled: true,
        label: 'Front door',
        secret: `front-door?secret=${publishSecret}`,
        extraAudio: '',
        files: [expect.objectContaining({ uuid: 'c1' })],
      }),
    ),
  );
});

it('takes a pasted URL apart, and explains a camera that refuses the login', async () => {
  const { user, server } = openTab();
  const form = await sheet(user);
  await user.click(form.getByRole('button', { name: 'Test camera' }));
  expect(await form.findByText('Enter the stream URL.')).toBeDefined();
  await type(user, form.getByLabelText('Stream URL'), 'rtsp://viewer:p%2Fss@10.0.0.5/1');
  const data = { message: '401 Unauthorized', why: { kind: 'login-refused', fact: '401 Unauthorized' } };
  server.answers.set(`${api}/source`, () => ({ status: 422, body: { code: 1004, data } }));
  await user.click(form.getByRole('button', { name: 'Test camera' }));
  expect((await form.findByRole('alert')).textContent).toContain('The user name or password was rejected.');
  await user.click(form.getByRole('radio', { name: 'Host, user, password' }));
  expect(form.getByLabelText('Password')).toHaveProperty('value', 'p/ss');
  expect(form.getByLabelText('Host and port')).toHaveProperty('value', '10.0.0.5');
  await user.click(form.getByRole('button', { name: 'Start' }));
  expect(server.callsTo(`${api}/secret`).filter(({ body }) => 'action' in (body as object))).toEqual([]);
});

it('shows a camera by its host alone, without its login', async () => {
  const own = { server: 'rtmp://localhost/live/', secret: 'door?secret=x', custom: true, enabled: false };
  openTab([{ platform: 'camera-4-a1b2c3', label: 'Door', files: [camera], extraAudio: '', ...own }]);
  const row = (await screen.findByRole('button', { name: 'Door' })).closest('li');
  expect(row?.textContent).toContain('10.0.0.5:554 → this server (live/door)');
  expect(document.body.textContent).not.toContain('viewer');
});

it('names a running camera on this server by its stream, whichever address was typed', async () => {
  const typed = { server: 'rtmp://192.0.2.7/live', secret: 'door?secret=x', custom: true, enabled: true };
  const slot = { platform: 'camera-4-a1b2c3', label: 'Door', files: [camera], extraAudio: '' as const, ...typed };
  openTab([slot], [{ ...slot, process: live, outputStream: 'live/door' }]);
  const link = await screen.findByRole('link', { name: 'this server (live/door)' });
  expect(link.getAttribute('href')).toContain('stream=live/door');
});
