import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SyntheticPublisher } from '../media/fixtures/synthetic-publisher.fixture.ts';
import { until, Weir } from '../weir.fixture.ts';

const mgmt = '/terraform/v1/mgmt';
const limit = 200;

let weir: Weir;
let auth: Record<string, string>;
let publisher: SyntheticPublisher;
const sockets: Socket[] = [];

beforeAll(async () => {
  weir = await Weir.start({}, undefined, ['prlimit', `--nofile=${limit}`]);
  // With the code: this process may speak to others too, and is then no script that may leave it out.
  auth = { authorization: `Bearer ${(await weir.setUp()).bearer}` };
  const secret = (await weir.post('/terraform/v1/hooks/srs/secret/query', {}, auth)).data.publish;
  publisher = await SyntheticPublisher.start({ port: weir.rtmpPort, name: `show?secret=${secret}`, kbps: 200 });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  publisher.close();
  await weir.close();
});

/** Connections that ask for nothing. */
function crowd(port: number, count: number): void {
  for (let n = 0; n < count; n++) sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
}

const open = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;
const setLimit = (pid: number, descriptors: number) =>
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${descriptors}:${limit}`]);
const answers = () =>
  fetch(`${weir.origin}${mgmt}/check`).then(
    ({ status }) => status === 200,
    () => false,
  );
/** Refusals and disconnections of publishers in the engine's log. */
const partings = () => ['publish refused', 'publisher disconnected'].flatMap((msg) => weir.records(msg));
const isLive = () =>
  fetch(`${weir.origin}/live/show.flv`, { method: 'HEAD' }).then(
    ({ status }) => status === 200,
    () => false,
  );

it('more connections than descriptors keep no client out', async () => {
  const planes = [weir.pidOf('engine'), weir.pidOf('server')];
  expect(partings()).toEqual([]);
  for (const port of [weir.httpPort, weir.httpsPort, weir.rtmpPort]) crowd(port, 2 * limit);
  await until(answers, 'an answer in the crowd');
  await until(isLive, 'the stream in the crowd');
  for (const socket of sockets.splice(0)) socket.destroy();
  await until(answers, 'an answer after the crowd');
  expect([weir.pidOf('engine'), weir.pidOf('server')]).toEqual(planes);
  expect(partings()).toEqual([]);
});

it('no plane ends without a free descriptor, and all continue when there are some again', {
  timeout: 60_000,
}, async () => {
  const planes = [weir.pidOf('engine'), weir.pidOf('server')];
  const launcher = weir.process.pid ?? 0;
  // A destination that wants a child, and what wants files, sockets and names.
  const forward = { platform: 'wx', server: 'rtmp://127.0.0.1:9/live', secret: 'x', enabled: true, custom: false };
  await until(answers, 'an answer');
  for (const pid of [...planes, launcher]) setLimit(pid, open(pid));
  const asked = [
    ...Array.from({ length: 20 }, () => fetch(`${weir.origin}${mgmt}/check`)),
    weir.post('/terraform/v1/ffmpeg/forward/secret', { action: 'update', ...forward, label: '' }, auth),
    weir.post(`${mgmt}/hooks/apply`, { all: true, target: 'http://callback.invalid/' }, auth),
    fetch(`${weir.origin}/live/show-0-1.ts`),
    fetch(`${weir.origin}/live/show.m3u8`),
  ];
  crowd(weir.httpPort, 50);
  crowd(weir.rtmpPort, 50);
  await Promise.allSettled(asked);
  // Two more seconds of video, so that every timer of one second has run.
  const { sent } = publisher;
  await until(() => publisher.sent > sent + 50, 'two seconds of pictures');
  expect([weir.pidOf('engine'), weir.pidOf('server')]).toEqual(planes);
  for (const pid of [...planes, launcher]) setLimit(pid, limit);
  for (const socket of sockets.splice(0)) socket.destroy();
  await until(answers, 'an answer afterwards');
  await until(isLive, 'the stream afterwards');
  expect(partings()).toEqual([]);
});

it('a launcher without descriptors restarts a plane as soon as it has some', async () => {
  const launcher = weir.process.pid ?? 0;
  const server = weir.pidOf('server');
  setLimit(launcher, 5);
  process.kill(server, 'SIGKILL');
  const isStartRefused = () =>
    weir.records('process exited, restarting it').some(({ reason }) => /could not be started/.test(String(reason)));
  await until(isStartRefused, 'a start that fails');
  expect(weir.process.exitCode).toBe(null);
  setLimit(launcher, limit);
  await until(answers, 'another server');
  expect(weir.pidOf('server')).not.toBe(server);
  expect(partings()).toEqual([]);
  expect(publisher.hasEnded).toBe(false);
});
