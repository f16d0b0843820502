import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../free-port.fixture.ts';
import { inputs, Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { RedisServer } from '../redis-server.fixture.ts';
import { isAlive, until, Weir } from '../weir.fixture.ts';

const api = '/terraform/v1';
const takenOverWithinMs = 10_000;
let redis: RedisServer;
const weirs: Weir[] = [];
const publishers: Publisher[] = [];

beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(async () => {
  for (const publisher of publishers) await publisher.stop('SIGKILL');
  await Promise.all(weirs.map((weir) => weir.close()));
  await redis.close();
});

async function start(port: number, dataDir?: string): Promise<Weir> {
  const env = { WEIR_STORE: redis.url, WEIR_NODE_URL: `http://127.0.0.1:${port}`, MGMT_LISTEN: `127.0.0.1:${port}` };
  const weir = await Weir.start(env, dataDir);
  weirs.push(weir);
  return weir;
}

/** As a machine that loses its power. */
async function cutPower(weir: Weir): Promise<void> {
  const pids = [weir.process.pid ?? 0, weir.pidOf('engine'), weir.pidOf('server')];
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await until(() => !pids.some(isAlive), 'the machine is off');
}

const leadsSince = (weir: Weir) => Date.parse(String(weir.records('this control plane leads now')[0]?.time));

it('has one that leads and one that passes on, and loses neither settings nor recordings with the leader', async () => {
  const [port, otherPort] = [await freePort(), await freePort()];
  const first = await start(port);
  const { bearer } = await first.setUp();
  const headers = { authorization: `Bearer ${bearer}` };
  const second = await start(otherPort);
  expect(second.records('on standby')).toMatchObject([{ leader: `http://127.0.0.1:${port}` }]);

  const leads = async (weir: Weir) => (await fetch(`${weir.origin}${api}/mgmt/lead`)).ok;
  expect([await leads(first), await leads(second)]).toEqual([true, false]);

  // Console and API are the same at both, and what one is told the other knows.
  expect((await fetch(`${second.origin}/mgmt/`)).status).toBe((await fetch(`${first.origin}/mgmt/`)).status);
  for (const path of ['mgmt/hlsll/update', 'hooks/record/apply'])
    expect(await second.post(`${api}/${path}`, { hlsLowLatency: true, all: true }, headers)).toMatchObject({ code: 0 });
  expect(await first.post(`${api}/hooks/record/query`, {}, headers)).toMatchObject({ data: { all: true } });
  expect(await second.post(`${api}/mgmt/limits/query`)).toMatchObject({ status: 401 });

  const { data } = await second.post(`${api}/hooks/srs/secret/query`, {}, headers);
  const publish = (weir: Weir) => {
    const url = `rtmp://127.0.0.1:${weir.rtmpPort}/live/pair?secret=${data.publish}`;
    const publisher = new Publisher(url, inputs.audio);
    publishers.push(publisher);
    return publisher;
  };
  const recordings = async (weir: Weir): Promise<{ uuid: string; progress: boolean }[]> =>
    (await weir.post(`${api}/hooks/record/files`, {}, headers)).data;
  const refused = publish(second);
  await until(() => refused.hasEnded, 'nobody publishes to the one on standby');
  publish(first);
  await until(async () => (await recordings(second)).length === 1, 'the leader records');
  const [left] = await recordings(second);

  const offAtMs = Date.now();
  await cutPower(first);
  expect((await second.post(`${api}/mgmt/check`)).code).toBe(1007);
  await until(() => second.records('this control plane leads now').length > 0, 'the other one leads');
  expect(leadsSince(second) - offAtMs).toBeLessThan(takenOverWithinMs);
  const isBack = () => second.post(`${api}/hooks/record/query`, {}, headers).then(({ code }) => code === 0);
  await until(() => isBack().catch(() => false), 'its API answers');
  expect(await leads(second)).toBe(true);
  // What runs is what the first one was told; its recording is on its own disk.
  expect(await recordings(second)).toEqual([]);
  publish(second);
  await until(async () => (await recordings(second)).length === 1, 'the new leader records');

  const back = await start(port, first.dataDir);
  expect(back.records('on standby')).toHaveLength(1);
  second.process.kill('SIGTERM');
  await until(() => back.records('this control plane leads now').length > 0, 'the first one leads again');
  await until(async () => (await recordings(back).catch(() => [])).length === 1, 'it has its recording again');
  expect(await back.post(`${api}/hooks/record/end`, { uuid: left?.uuid }, headers)).toMatchObject({ code: 0 });
  await until(async () => (await recordings(back))[0]?.progress === false, 'it has finished it');
});
