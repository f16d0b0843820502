import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../free-port.fixture.ts';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { FlvViewer, Live } from '../media/fixtures/live.fixture.ts';
import { until } from '../weir.fixture.ts';

const components = '/terraform/v1/mgmt/components';
let live: Live;
let publisher: Publisher;

beforeAll(async () => {
  // Named ports, so that the engine that comes back has the same.
  const [http, rtmp] = await Promise.all([freePort(), freePort()]);
  live = await Live.start({ MGMT_LISTEN: `127.0.0.1:${http}`, WEIR_RTMP_LISTEN: `127.0.0.1:${rtmp}` });
  publisher = new Publisher(live.publishUrl('steady'));
  await until(() => live.isLive('steady'), 'the stream is live');
});
afterAll(async () => {
  await publisher.stop('SIGKILL');
  await live.close();
});

async function planes() {
  const { data } = await live.post(`${components}/query`);
  const [engine, server] = data.planes;
  return { engine, server };
}

/** Until the console would say that it runs again, as another process. */
async function back(plane: 'engine' | 'server', pid: number): Promise<void> {
  const isBack = async () => {
    const { [plane]: now } = await planes();
    return now.pid !== pid && now.ready;
  };
  await until(() => isBack().catch(() => false), `${plane} back`, 20_000);
}

it('knows both processes as they are', async () => {
  const { engine, server } = await planes();
  expect(engine).toMatchObject({ pid: live.weir.pidOf('engine'), ready: true, restarts: 0, lastExit: null });
  expect(server).toMatchObject({ pid: live.weir.pidOf('server'), ready: true, restarts: 0, lastExit: null });
  for (const { memoryBytes } of [engine, server]) expect(memoryBytes).toBeGreaterThan(20e6);
});

it('restarts the control server on request, and a viewer goes on watching', async () => {
  const viewer = await FlvViewer.open(live.http('steady', '.flv'));
  await until(() => viewer.bytes > 50_000, 'the viewer watches');
  const { engine, server } = await planes();
  expect(await live.post(`${components}/restart`, { name: 'server' })).toMatchObject({ status: 200, code: 0 });
  await back('server', server.pid);
  const then = viewer.bytes;
  await until(() => viewer.bytes > then + 50_000, 'the viewer still watches');
  viewer.close();
  expect(publisher.hasEnded).toBe(false);
  const now = await planes();
  expect(now.engine).toMatchObject({ pid: engine.pid, restarts: 0 });
  expect(now.server).toMatchObject({ restarts: 1, lastExit: { wanted: true, reason: '' } });
  expect(live.weir.records('process exited, restarting it')).toEqual([]);
});

it('restarts the engine on request without a pause in between, and leaves a line in the log', async () => {
  const { engine, server } = await planes();
  expect(await live.post(`${components}/restart`, { name: 'engine' })).toMatchObject({ status: 200, code: 0 });
  await back('engine', engine.pid);
  const now = await planes();
  // How long starting takes is the machine's affair; that nobody waits before it is ours. A back-off is 100 ms at least.
  expect(Date.parse(now.engine.startedAt) - Date.parse(now.engine.lastExit.at)).toBeLessThan(100);
  expect(now.engine).toMatchObject({ pid: live.weir.pidOf('engine'), restarts: 1, lastExit: { wanted: true } });
  expect(now.server.pid).toBe(server.pid);
  const asked = live.weir.records('restart requested by an administrator');
  expect(asked.map(({ plane, by, address }) => [plane, by, address])).toEqual([
    ['server', 'session', '127.0.0.1'],
    ['engine', 'session', '127.0.0.1'],
  ]);
});

it('tells how a process ended that nobody asked to end', async () => {
  const { server } = await planes();
  process.kill(server.pid, 'SIGKILL');
  await back('server', server.pid);
  expect((await planes()).server).toMatchObject({ restarts: 2, lastExit: { wanted: false, signal: 'SIGKILL' } });
});
