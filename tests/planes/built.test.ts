import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { built, isAlive, until, Weir, workersOf } from '../weir.fixture.ts';

let weir: Weir;

const offer = [
  'v=0',
  'o=- 1 1 IN IP4 0.0.0.0',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'c=IN IP4 0.0.0.0',
  'a=mid:0',
  'a=sendonly',
  'a=rtcp-mux',
  'a=rtpmap:96 H264/90000',
  'a=fmtp:96 packetization-mode=1;profile-level-id=42e01f',
  'a=ice-ufrag:abcd',
  `a=ice-pwd:${'p'.repeat(24)}`,
  `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
  'a=setup:actpass',
  '',
].join('\r\n');

beforeAll(async () => {
  weir = await Weir.start({}, undefined, [], built);
});
afterAll(() => weir.close());

it('the built product is what npm start runs: a page, a password and a call, with one file for each process', async () => {
  expect((await fetch(`${weir.origin}/mgmt/`)).status).toBe(200);
  const { bearer } = await weir.setUp();
  const headers = { Authorization: `Bearer ${bearer}` };
  expect(await weir.post('/terraform/v1/mgmt/streams/query', {}, headers)).toMatchObject({ code: 0 });
  const { data } = await weir.post('/terraform/v1/hooks/srs/secret/query', {}, headers);
  const engine = weir.pidOf('engine');
  const caller = createSocket('udp4');
  caller.send('anything', weir.srtPort, '127.0.0.1');
  const whip = `${weir.origin}/rtc/v1/whip/?app=live&stream=built&secret=${data.publish}`;
  expect((await fetch(whip, { method: 'POST', body: offer })).status).toBe(201);
  await until(() => [...workersOf(engine, 'srt'), ...workersOf(engine, 'rtc')].length === 2, 'a worker of each kind');
  caller.close();
});

it('the built product reports source positions in errors', async () => {
  // A database without its tables is a fault that nobody expects.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(`${weir.dataDir}/weir.db`);
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  for (const { name } of tables) database.exec(`DROP TABLE "${name}"`);
  database.close();
  await weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
  await until(() => /apps\/server\/src\/[a-z/-]+\.ts:\d+:\d+/.test(weir.output), 'a stack in the log');
  expect(weir.output).not.toMatch(/at [^\n]*dist\/main\.cjs/);
});

it('the built product ends with every process it started', async () => {
  const engine = weir.pidOf('engine');
  const planes = [engine, weir.pidOf('server'), ...workersOf(engine, 'srt'), ...workersOf(engine, 'rtc')];
  expect(planes).toHaveLength(4);
  weir.process.kill('SIGTERM');
  await once(weir.process, 'exit');
  await until(() => !planes.some(isAlive), 'the planes are gone');
});
