import { afterAll, beforeAll, expect, it } from 'vitest';
import { RedisServer } from '../redis-server.fixture.ts';
import { until, Weir } from '../weir.fixture.ts';

const password = 'a-database-password';
const limits = '/terraform/v1/mgmt/limits';
let redis: RedisServer;
let weir: Weir;

beforeAll(async () => {
  redis = await RedisServer.start(['--requirepass', password]);
  weir = await Weir.start({ WEIR_STORE: `redis://:${password}@127.0.0.1:${redis.port}/2?prefix=whole` });
});
afterAll(async () => {
  await weir.close();
  await redis.close();
});

const check = () => weir.post('/terraform/v1/mgmt/check').catch(() => undefined);

it('keeps confirmed writes in Redis, whichever process is killed, and answers 1007 while the database is away', async () => {
  const { token } = await weir.setUp();
  const headers = { Authorization: `Bearer ${token}` };
  expect(await weir.post(`${limits}/update`, { vlive: 1234 }, headers)).toMatchObject({ status: 200, code: 0 });
  expect(await weir.post('/terraform/v1/mgmt/components/query', {}, headers)).toMatchObject({ code: 0 });

  await redis.kill();
  expect(await check()).toMatchObject({ status: 500, code: 1007 });
  expect(await weir.post(`${limits}/update`, { vlive: 999 }, headers)).toMatchObject({ code: 1007 });
  process.kill(weir.pidOf('server'), 'SIGKILL');
  await redis.startAgain();
  await until(async () => (await check())?.code === 0, 'settings can be read again');
  expect(await weir.post(`${limits}/query`, {}, headers)).toMatchObject({ code: 0, data: { vlive: 1234 } });
  expect(weir.output).not.toContain(password);
});
