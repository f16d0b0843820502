import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, listenOnSocket } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import { expect, it, onTestFinished } from 'vitest';
import { startSrsGate } from '../../../apps/engine/src/srs-gate.ts';
import { createApp } from '../../../apps/server/src/app.ts';
import { SrsHooks } from '../../../apps/server/src/media-server/srs/srs-hooks.ts';
import { until } from '../../weir.fixture.ts';
import { inputs, Publisher, probe } from '../fixtures/ffmpeg.fixture.ts';
import { FlvViewer } from '../fixtures/live.fixture.ts';
import { SyntheticPublisher } from '../fixtures/synthetic-publisher.fixture.ts';
import { Srs, srsEnvironment, srsPorts } from './srs.fixture.ts';

const token = 'the-token-of-the-hooks';

/** Starts both planes in this process, in front of a real SRS that shares their data directory. */
async function open() {
  const ports = await srsPorts();
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-srs-app-'));
  mkdirSync(join(dataDir, 'config'));
  const listen = { MGMT_LISTEN: '127.0.0.1:0', HTTPS_LISTEN: '127.0.0.1:0', AUTO_SELF_SIGNED_CERTIFICATE: 'off' };
  const env = { ...srsEnvironment(ports), ...listen, WEIR_DATA: dataDir };
  const config = parseConfig(env, { cwd: dataDir, version: '1.2.3' });
  if (!config.srs) throw new Error('not configured for SRS');
  const sockets = { engine: join(dataDir, 'e.sock'), server: join(dataDir, 's.sock') };
  const boot = { config, sockets, hookToken: token, ownToken: 'own' };
  const log = createLog('srs', 'error');
  // Before Weir, as after a restart of the machine it may be.
  const srs = await Srs.start(ports, { directory: join(dataDir, 'srs'), token });
  const app = await createApp(boot, log, {
    launcher: { planes: () => undefined, restart: () => undefined, waitsFor: () => undefined },
  });
  const { fastify } = app.http;
  const route: ConstructorParameters<typeof SrsHooks>[0]['route'] = (req, res) => fastify.routing(req, res);
  const hooks = new SrsHooks({ listen: config.srs.hooks, token, route, log });
  await hooks.open();
  await listenOnSocket(fastify.server, sockets.server);
  const gate = await startSrsGate(boot, log, config.srs);
  onTestFinished(async () => {
    await gate.close();
    await hooks.close();
    await app.close();
    await srs.stop();
  });
  const origin = `http://127.0.0.1:${gate.facts.httpPort}`;
  let bearer = '';
  const post = async (path: string, body: object = {}) => {
    const headers = { authorization: `Bearer ${bearer}` };
    const url = `${origin}/terraform/v1/${path}`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
    return { status: answer.status, ...((await answer.json()) as { code: number; data: never }) };
  };
  const session = await post('mgmt/init', { password: 'the password', code: await app.setupCode() });
  ({ bearer } = session.data as { bearer: string });
  const publish = async (query: string) => {
    const publisher = await SyntheticPublisher.start({ port: ports.rtmp, name: `show${query}`, kbps: 400 });
    onTestFinished(() => publisher.close());
    return publisher;
  };
  return { origin, post, publish, rtmpPort: ports.rtmp };
}

it('SRS asks Weir who may publish, and its streams are listed, watched, recorded and disconnected there', async () => {
  const { origin, post, publish } = await open();
  const { publish: secret } = (await post('hooks/srs/secret/query')).data as { publish: string };
  const live = async () => ((await post('mgmt/streams/query')).data as { streams: object[] }).streams;
  const lastRefusal = async () =>
    ((await post('mgmt/streams/attempts')).data as { attempts: { reason: string }[] }).attempts[0]?.reason;
  expect((await post('hooks/record/apply', { all: true })).code).toBe(0);

  const stranger = await publish('?secret=wrong');
  await until(() => stranger.hasEnded, 'a wrong secret is refused');
  await until(async () => (await lastRefusal()) === 'secret-wrong', 'and told of');
  const publisher = await publish(`?secret=${secret}`);
  await until(async () => (await live()).length === 1, 'it is listed');
  const second = await publish(`?secret=${secret}`);
  await until(() => second.hasEnded, 'a second publisher is refused');
  await until(async () => (await lastRefusal()) === 'in-use', 'and told of');
  expect([publisher.hasEnded, (await live()).length]).toEqual([false, 1]);

  const viewer = await FlvViewer.open(`${origin}/live/show.flv`);
  await until(() => viewer.bytes > 50_000, 'FLV comes through the front door');
  viewer.close();
  await until(async () => (await fetch(`${origin}/live/show.m3u8`)).ok, 'so does HLS');
  expect((await post('mgmt/envs')).data).toMatchObject({
    engineLacks: expect.arrayContaining(['hls-settings', 'process']),
  });
  expect(await post('mgmt/hlsll/update', { hlsLowLatency: true })).toMatchObject({ status: 503 });
  const isRecorded = async () => ((await post('hooks/record/files')).data as { nn: number }[])[0]?.nn === 1;
  await until(isRecorded, 'its first segment is recorded');

  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
  expect((await post('mgmt/streams/kickoff', place)).code).toBe(0);
  await until(() => publisher.hasEnded, 'the publisher is disconnected');
  await until(async () => (await live()).length === 0, 'and listed no more');
});

it('SRS sends the audio also to viewers who come before there is any', async () => {
  const { origin, post, rtmpPort } = await open();
  const { publish: secret } = (await post('hooks/srs/secret/query')).data as { publish: string };
  const [picture, tone] = [inputs.video.slice(0, 4), ['-itsoffset', '4', '-f', 'lavfi', '-i', 'sine']];
  const coded = [...inputs.video.slice(4), '-c:a', 'aac', '-max_interleave_delta', '1'];
  const publisher = new Publisher(`rtmp://127.0.0.1:${rtmpPort}/live/show?secret=${secret}`, [
    ...picture,
    ...tone,
    ...coded,
  ]);
  onTestFinished(() => publisher.stop('SIGKILL'));
  await until(async () => (await fetch(`${origin}/live/show.flv`, { method: 'HEAD' })).ok, 'it is live');
  const found = await probe(`${origin}/live/show.flv`);
  expect(found.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
});
