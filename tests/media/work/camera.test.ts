import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { complaints, probe } from '../fixtures/ffmpeg.fixture.ts';
import { expectHealthy } from '../fixtures/healthy.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { RtspCamera } from '../fixtures/rtsp-camera.fixture.ts';

interface Row {
  readonly platform: string;
  readonly start?: string;
  readonly process: { readonly state: string; readonly starts: number; readonly failure: { cause: string } | null };
}

const api = '/terraform/v1/ffmpeg/camera';
/** Credentials as printed on a camera and pasted into an address. */
const user = 'Cam@Viewer';
const password = 'p@ss?!#$%^&*()_+-=|';
let live: Live;
let camera: RtspCamera;
beforeAll(async () => {
  [live, camera] = await Promise.all([Live.start(), RtspCamera.start(user, password)]);
});
afterEach(async () => {
  const saved = Object.keys((await live.post(`${api}/secret`)).data);
  for (const platform of saved) await live.post(`${api}/secret`, { action: 'remove', platform });
});
afterAll(() => Promise.all([live.close(), camera.close()]));

const address = (path: string) => camera.url(path, `${user}:${password}`);

/** The three steps of the console: what is typed, what is in it, where it goes. */
async function add(platform: string, url: string, fields: object = {}) {
  const typed = await live.post(`${api}/stream-url`, { url });
  expect(typed.data).toMatchObject({ target: url });
  const looked = await live.post(`${api}/source`, { platform, files: [{ ...typed.data, size: 0, type: 'stream' }] });
  expect(looked).toMatchObject({ code: 0, data: { platform } });
  const destination = {
    server: `rtmp://127.0.0.1:${live.weir.rtmpPort}/live`,
    secret: `${platform}?secret=${live.secret}`,
  };
  const change = { action: 'update', platform, enabled: true, ...destination, ...fields, files: looked.data.files };
  expect(await live.post(`${api}/secret`, change)).toMatchObject({ code: 0, data: null });
  return looked.data.files[0];
}

async function row(platform: string): Promise<Row> {
  const rows: Row[] = (await live.post(`${api}/streams`)).data;
  const found = rows.find((one) => one.platform === platform);
  if (!found) throw new Error(`no row of ${platform}`);
  return found;
}

const becomes = (platform: string, state: string) =>
  until(async () => (await row(platform)).process.state === state, `${platform} is ${state}`);

it('cameras with special characters in the password are probed and forwarded: with audio, with silence, without any, and with G.711', async () => {
  const source = await add('wx', address('/both'));
  expect(source).toMatchObject({
    type: 'stream',
    name: 'both',
    video: { codec_name: 'h264', width: 640 },
    audio: { codec_name: 'aac' },
  });
  await add('bilibili', address('/picture'), { extraAudio: 'silent' });
  await add('kuaishou', address('/picture'));
  await add('camera-4-a1b2c3', address('/phone'));
  for (const platform of ['wx', 'bilibili', 'kuaishou', 'camera-4-a1b2c3']) await becomes(platform, 'live');
  const codecs = async (name: string) => (await probe(live.rtmp(name))).map(({ codec_name }) => codec_name);
  expect(await codecs('wx')).toEqual(['h264', 'aac']);
  expect(await codecs('bilibili')).toEqual(['h264', 'aac']);
  expect(await codecs('kuaishou')).toEqual(['h264']);
  expect(await codecs('camera-4-a1b2c3')).toEqual(['h264', 'aac']);
  expect(await complaints(live.rtmp('bilibili'), 2)).toBe('');

  const rows = JSON.stringify((await live.post(`${api}/streams`)).data);
  for (const secret of [password, encodeURIComponent(password), 'p%40ss', live.secret]) {
    expect(rows).not.toContain(secret);
    expect(live.weir.output).not.toContain(secret);
  }
  await expectHealthy(live, 'wx');
  // Silence that was chosen is no fault, however long it lasts.
  const silent = { app: 'live', stream: 'bilibili' };
  const detail = async () => (await live.post('/terraform/v1/mgmt/streams/detail', silent)).data;
  const lasts = async () => (await detail()).samples.columns.silence.slice(-10);
  await until(async () => (await lasts()).filter((share: number) => share > 0.9).length === 10, 'ten silent seconds');
  expect((await detail()).diagnosis).toEqual({ verdict: 'good', issues: [] });
  await expectHealthy(live, 'bilibili');
});

it.each([
  ['rtsp://169.254.169.254/latest', 'link-local and reserved'],
  ['file:///etc/passwd', 'invalid url scheme'],
  ['rtsp://ann:wrong@127.0.0.1:1/x', 'cannot be read'],
])('%s is refused as a camera: %s', async (url, why) => {
  const typed = await live.post(`${api}/stream-url`, { url });
  if (typed.code !== 0) return expect(typed.data.message).toContain(why);
  const looked = await live.post(`${api}/source`, { platform: 'wx', files: [{ ...typed.data, type: 'stream' }] });
  expect([looked.status, looked.data.message]).toEqual([422, expect.stringContaining(why)]);
  expect(looked.data.message).not.toContain('wrong');
});

it('a camera with a longest duration restarts by itself; one that goes away is retried and reported', async () => {
  await add('wx', `${address('/picture')}?max-stream-duration=5s&abnormal-fast-speed=8`, { extraAudio: 'silent' });
  await becomes('wx', 'live');
  const first = await row('wx');
  await until(async () => (await row('wx')).process.starts > first.process.starts, 'it began anew');
  await becomes('wx', 'live');
  expect((await row('wx')).process.failure).toBeNull();

  await camera.close();
  await until(async () => (await row('wx')).process.failure?.cause === 'connection-refused', 'it is missed');
  expect((await row('wx')).process.state).toBe('reconnecting');
});
