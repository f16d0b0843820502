import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { CallbackReceiver } from '../fixtures/callback-receiver.fixture.ts';
import { Publisher, probe } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { UdpProxy } from '../fixtures/udp-proxy.fixture.ts';
import { Call, launchCallingBrowser } from '../fixtures/webrtc.fixture.ts';
import { callWeir, Srs, srsEnvironment, srsPorts, streamNames } from './srs.fixture.ts';

let live: Live;
let srs: Srs;
let browser: Browser;
let road: UdpProxy;
let receiver: CallbackReceiver;
let ports: Awaited<ReturnType<typeof srsPorts>>;
let publisher: Publisher | undefined;

beforeAll(async () => {
  ports = await srsPorts();
  // Port published under another number, as by Docker.
  road = await UdpProxy.open(0, { host: '127.0.0.1', port: ports.rtc });
  [live, receiver, browser] = await Promise.all([
    Live.start({ ...srsEnvironment(ports), RTC_PORT: String(road.port) }),
    CallbackReceiver.start(),
    launchCallingBrowser(),
  ]);
  const { dataDir } = live.weir;
  const token = readFileSync(join(dataDir, 'config', 'srs-hook-token'), 'utf8').trim();
  srs = await Srs.start(ports, { directory: join(dataDir, 'srs'), token });
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await Promise.all([browser?.close(), live?.close()]);
  await Promise.all([srs?.stop(), receiver?.stop()]);
  road?.close();
});

const rtc = (call: string, query: string) => `${live.weir.origin}/rtc/v1/${call}?${query}&eip=127.0.0.1`;
const open = (call: 'whip' | 'whep', query: string) =>
  Call.open(browser, live.weir.origin, rtc(call, query), call === 'whip');
const said = (action: string, stream: string) =>
  receiver.heard.some((event) => event.action === action && event.stream === stream);

const call = (path: string, body?: object) => callWeir(live, path, body);
const names = () => streamNames(live);

/** Pictures that the page drew, and something to be heard. */
async function watch(name: string): Promise<Call> {
  const viewer = await open('whep', `app=live&stream=${name}`);
  expect((await viewer.answer()).status).toBe(201);
  await until(async () => (await viewer.facts()).frames > 30, `${name} is seen`);
  await until(async () => ((await viewer.facts()).audio?.totalAudioEnergy ?? 0) > 0, `${name} is heard`);
  return viewer;
}

it('publishes browser cameras and plays streams in browsers with SRS, through the front door', async () => {
  await call('mgmt/hooks/apply', { target: receiver.url, opaque: 'o', all: true });
  const { health } = await call('mgmt/status');
  expect(health.engine.listeners).toContainEqual(expect.objectContaining({ protocol: 'rtc', ready: true }));
  const intruder = await open('whip', 'app=live&stream=camera&secret=wrong');
  expect((await intruder.answer()).status).toBe(403);
  expect(await call('mgmt/streams/attempts')).toMatchObject({ attempts: [{ reason: 'secret-wrong' }] });
  expect((await (await open('whep', 'app=live&stream=camera')).answer()).status).toBe(404);

  const camera = await open('whip', `app=live&stream=camera&secret=${live.secret}`);
  const { status, body } = await camera.answer();
  expect([status, body.match(/^a=candidate:.* ([\d.]+) (\d+) typ host/m)?.[2]]).toEqual([201, String(road.port)]);
  await until(async () => (await names()) === 'camera', 'it is listed');
  expect((await call('mgmt/streams/query')).streams).toMatchObject([{ media: { protocol: 'rtc' } }]);
  await until(() => said('on_publish', 'camera'), 'it is told of');
  const viewer = await watch('camera');
  const codecs = (await probe(live.http('camera', '.flv'))).map(({ codec_name }) => codec_name);
  expect(codecs.sort()).toEqual(['aac', 'h264']);

  publisher = new Publisher(live.publishUrl('show'));
  await until(async () => (await names()) === 'camera,show', 'both are listed');
  await watch('show');
  const sdp = await viewer.page.evaluate('call.peer.localDescription.sdp');
  const streamurl = `webrtc://127.0.0.1/live/show`;
  const older = await fetch(rtc('play/', ''), { method: 'POST', body: JSON.stringify({ streamurl, sdp }) });
  expect(await older.json()).toMatchObject({ code: 0, sdp: expect.stringContaining('a=ice-lite') });

  await call('mgmt/streams/kickoff', { vhost: '__defaultVhost__', app: 'live', stream: 'camera' });
  await until(async () => (await names()) === 'show', 'it is listed no more');
  await until(() => said('on_unpublish', 'camera'), 'its end is told of');
  const again = await open('whip', `app=live&stream=camera&secret=${live.secret}`);
  const { location } = await again.answer();
  await until(async () => (await names()) === 'camera,show', 'it may come back');
  expect((await fetch(new URL(location ?? '', live.weir.origin), { method: 'DELETE' })).status).toBe(200);
  await until(async () => (await names()) === 'show', 'it leaves by itself');
  expect(live.weir.output).not.toContain(live.secret);
});
