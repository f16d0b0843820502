import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../free-port.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { Publisher, probe } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { callWeir, Srs, srsEnvironment, srsPorts, streamNames } from './srs.fixture.ts';

let directory = '';
let live: Live;
let ports: Awaited<ReturnType<typeof srsPorts>>[];
let edge: { rtmp: number; http: number };
const running: Srs[] = [];
const publishers: Publisher[] = [];

/** Two origins, an edge before them, and Weir, which reaches RTMP by the edge. Segments of both are out of its sight. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weir-srs-cluster-'));
  const [first, second] = [await srsPorts(), await srsPorts()];
  ports = [first, { ...second, hooks: first.hooks }];
  edge = { rtmp: await freePort(), http: await freePort() };
  const all = (port: 'api' | 'http') => ports.map((one) => `http://127.0.0.1:${one[port]}`).join(',');
  live = await Live.start({
    ...srsEnvironment(first),
    WEIR_SRS_API: all('api'),
    WEIR_SRS_HTTP: all('http'),
    WEIR_RTMP_LISTEN: `127.0.0.1:${edge.rtmp}`,
    RTMP_PORT: String(edge.rtmp),
  });
  const token = readFileSync(join(live.weir.dataDir, 'config', 'srs-hook-token'), 'utf8').trim();
  for (const [at, one] of ports.entries()) {
    const coworkers = ports.filter((other) => other !== one).map(({ api }) => `127.0.0.1:${api}`);
    running.push(await Srs.start(one, { directory: join(directory, `origin-${at}`), token, coworkers }));
  }
  running.push(
    await Srs.startEdge(
      edge,
      directory,
      ports.map(({ rtmp }) => `127.0.0.1:${rtmp}`),
    ),
  );
});
afterAll(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  await live?.close();
  for (const srs of running) await srs.stop();
  rmSync(directory, { recursive: true, force: true });
});

function publish(port: number, name: string): Publisher {
  const publisher = new Publisher(`rtmp://127.0.0.1:${port}/live/${name}?secret=${live.secret}`);
  publishers.push(publisher);
  return publisher;
}

const codecsAt = async (url: string) => (await probe(url)).map(({ codec_name }) => codec_name);
const both = ['h264', 'aac'];

it('lists the streams of all origins of an SRS cluster, wherever each is published', async () => {
  const [first = 0, second = 0] = ports.map(({ rtmp }) => rtmp);
  const call = (path: string, body?: object) => callWeir(live, path, body);
  const names = () => streamNames(live);
  await call('hooks/record/apply', { all: true });
  publish(first, 'one');
  const two = publish(second, 'two');
  publish(edge.rtmp, 'three');
  await until(async () => (await names()) === 'one,three,two', 'all are listed');
  const intruder = publish(first, 'two');
  await until(() => intruder.hasEnded, 'a second publisher is refused at the other origin too');

  for (const name of ['one', 'two', 'three']) {
    expect(await codecsAt(live.http(name, '.flv'))).toEqual(both);
    await until(async () => (await fetch(live.http(name, '.m3u8'))).ok, `${name} has HLS`);
    expect(await codecsAt(live.http(name, '.m3u8'))).toEqual(both);
    expect(await codecsAt(`rtmp://127.0.0.1:${edge.rtmp}/live/${name}`)).toEqual(both);
    expect(await codecsAt(`http://127.0.0.1:${edge.http}/live/${name}.flv`)).toEqual(both);
  }
  const own = { server: `rtmp://127.0.0.1:${edge.rtmp}/live`, secret: `copy?secret=${live.secret}` };
  await call('ffmpeg/forward/secret', { action: 'update', platform: 'wx', enabled: true, stream: 'two', ...own });
  await until(async () => (await names()) === 'copy,one,three,two', 'one is sent on by the edge');
  expect(await codecsAt(live.http('copy', '.flv'))).toEqual(both);
  const recorded = async () => (await call('hooks/record/files')).map(({ stream }: { stream: string }) => stream);
  await until(async () => (await recorded()).includes('two'), 'segments of the second origin come over HTTP');

  await call('mgmt/streams/kickoff', { vhost: '__defaultVhost__', app: 'live', stream: 'two' });
  await until(() => two.hasEnded, 'its publisher is disconnected');
  publish(second, 'two');
  await until(async () => (await names()).includes('two'), 'it may come back');
  await running[1]?.stop();
  await until(async () => !(await names()).includes('two'), 'with an origin its streams go');
  expect(await names()).toContain('one');
  expect(await codecsAt(live.http('one', '.flv'))).toEqual(both);
});
