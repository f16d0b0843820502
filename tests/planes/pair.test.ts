import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recording } from '@weir/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../free-port.fixture.ts';
import { complaints, inputs, Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { RedisServer } from '../redis-server.fixture.ts';
import { S3Server } from '../s3.fixture.ts';
import { isAlive, until, Weir } from '../weir.fixture.ts';

const api = '/terraform/v1';
const takenOverWithinMs = 10_000;
let redis: RedisServer;
const weirs: Weir[] = [];
const publishers: Publisher[] = [];
let files = '';

beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(async () => {
  for (const publisher of publishers) await publisher.stop('SIGKILL');
  await Promise.all(weirs.map((weir) => weir.close()));
  if (files !== '') rmSync(files, { recursive: true, force: true });
  await redis.close();
});

async function start(port: number, dataDir?: string, more: Record<string, string> = {}): Promise<Weir> {
  const env = { WEIR_STORE: redis.url, WEIR_NODE_URL: `http://127.0.0.1:${port}`, MGMT_LISTEN: `127.0.0.1:${port}` };
  const weir = await Weir.start({ ...env, ...more }, dataDir);
  weirs.push(weir);
  return weir;
}

const pidsOf = (weir: Weir) => [weir.process.pid ?? 0, weir.pidOf('engine'), weir.pidOf('server')];

/** Simulates a power cut. */
async function cutPower(weir: Weir): Promise<void> {
  const pids = pidsOf(weir);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await until(() => !pids.some(isAlive), 'the machine is off');
}

async function publishTo(
  weir: Weir,
  stream: string,
  headers: Record<string, string>,
  key?: string,
): Promise<Publisher> {
  const secret = key ?? (await weir.post(`${api}/hooks/srs/secret/query`, {}, headers)).data.publish;
  const url = `rtmp://127.0.0.1:${weir.rtmpPort}/live/${stream}?secret=${secret}`;
  const publisher = new Publisher(url, inputs.audio);
  publishers.push(publisher);
  return publisher;
}

async function recordingsOf(weir: Weir, headers: Record<string, string>): Promise<Recording[]> {
  const answer = await weir.post(`${api}/hooks/record/files`, {}, headers).catch(() => undefined);
  return answer?.code === 0 ? answer.data : [];
}

const leadsNow = (weir: Weir) => weir.records('this server leads now').length > 0;
const leadsSince = (weir: Weir) => Date.parse(String(weir.records('this server leads now')[0]?.time));

it('a pair has one leader and one standby that passes calls on, and loses neither settings nor recordings with the leader', async () => {
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

  const pairAt = async (weir: Weir) => (await weir.post(`${api}/mgmt/status`, {}, headers)).data.pair;
  const both = { leader: `http://127.0.0.1:${port}`, standbys: [`http://127.0.0.1:${otherPort}`], filesShared: false };
  expect([await pairAt(first), await pairAt(second)]).toEqual([
    { ...both, asked: 'leader' },
    { ...both, asked: 'standby' },
  ]);

  // A publisher with a key of its own, and viewers with a link: both hold at whichever server leads.
  const stage = { name: 'Stage', streams: ['live/pair'] };
  const { secret, key } = (await first.post(`${api}/hooks/srs/keys/create`, stage, headers)).data;
  await second.post(`${api}/mgmt/access/update`, { pattern: '/live/pair', mode: 'link' }, headers);
  const press = { app: 'live', stream: 'pair', expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
  const { token } = (await first.post(`${api}/mgmt/access/link`, press, headers)).data;
  const watchedAt = async (weir: Weir) => {
    const statusOf = async (query: string) => {
      const ending = new AbortController();
      const { status } = await fetch(`${weir.origin}/live/pair.flv${query}`, { signal: ending.signal });
      ending.abort();
      return status;
    };
    return [await statusOf(''), await statusOf(`?token=${token}`)];
  };
  const publish = (weir: Weir) => publishTo(weir, 'pair', headers, secret);
  const recordings = (weir: Weir) => recordingsOf(weir, headers);
  const refused = await publish(second);
  await until(() => refused.hasEnded, 'nobody publishes to the one on standby');
  await publish(first);
  await until(async () => (await recordings(second)).length === 1, 'the leader records');
  const [left] = await recordings(second);
  expect(await watchedAt(first)).toEqual([403, 200]);

  const offAtMs = Date.now();
  await cutPower(first);
  expect((await second.post(`${api}/mgmt/check`)).code).toBe(1007);
  await until(() => leadsNow(second), 'the other one leads');
  expect(leadsSince(second) - offAtMs).toBeLessThan(takenOverWithinMs);
  const isBack = () => second.post(`${api}/hooks/record/query`, {}, headers).then(({ code }) => code === 0);
  await until(() => isBack().catch(() => false), 'its API answers');
  expect(await leads(second)).toBe(true);
  // Settings carry over; the first server's recording is on its own disk.
  expect(await recordings(second)).toEqual([]);
  await publish(second);
  await until(async () => (await recordings(second)).length === 1, 'the new leader records');
  expect(await watchedAt(second)).toEqual([403, 200]);
  await second.post(`${api}/hooks/srs/keys/revoke`, { uuid: key.uuid }, headers);
  await until(() => publishers.every(({ hasEnded }) => hasEnded), 'the new leader ends the publisher of a revoked key');

  const back = await start(port, first.dataDir);
  expect(back.records('on standby')).toHaveLength(1);
  second.process.kill('SIGTERM');
  await until(() => leadsNow(back), 'the first one leads again');
  await until(async () => (await recordings(back)).length === 1, 'it has its recording again');
  expect(await back.post(`${api}/hooks/record/end`, { uuid: left?.uuid }, headers)).toMatchObject({ code: 0 });
  await until(async () => (await recordings(back))[0]?.progress === false, 'it has finished it');
});

it('the successor in a pair finishes the recording of the leader on shared storage, and its uploads', async () => {
  files = mkdtempSync(join(tmpdir(), 'weir-shared-'));
  const shared = { WEIR_FILES: files, WEIR_STORE: `${redis.url}?prefix=shared` };
  const s3 = await S3Server.prepare();
  let wake: () => unknown = () => undefined;
  try {
    const first = await start(await freePort(), undefined, shared);
    const headers = { authorization: `Bearer ${(await first.setUp()).bearer}` };
    const second = await start(await freePort(), undefined, shared);
    await first.post(`${api}/hooks/record/apply`, { all: true }, headers);
    await first.post(`${api}/mgmt/hlsll/update`, { hlsLowLatency: true }, headers);
    await first.post(`${api}/hooks/record/bucket/apply`, { ...s3.bucket, enabled: true }, headers);
    const find = async (weir: Weir, stream: string) =>
      (await recordingsOf(weir, headers)).find((each) => each.stream === stream);
    const sent = await publishTo(first, 'sent', headers);
    await until(async () => (await find(first, 'sent'))?.nn === 1, 'a first segment');
    await sent.stop();
    const waiting = await find(first, 'sent');
    await first.post(`${api}/hooks/record/end`, { uuid: waiting?.uuid }, headers);
    const isWaiting = async () => (await find(first, 'sent'))?.upload?.failure === 'no-connection';
    await until(isWaiting, 'it is finished, and nobody takes it');
    await publishTo(first, 'cut', headers);
    await until(async () => ((await find(first, 'cut'))?.nn ?? 0) >= 1, 'another is being recorded');
    const left = await find(first, 'cut');
    expect(await recordingsOf(second, headers)).toHaveLength(2);

    // A machine that is suspended, and wakes when the other one has long been leading.
    const suspended = pidsOf(first);
    for (const pid of suspended) process.kill(pid, 'SIGSTOP');
    wake = () => suspended.filter(isAlive).map((pid) => process.kill(pid, 'SIGCONT'));
    await s3.start();
    await until(() => leadsNow(second), 'the other one leads');
    await until(async () => (await find(second, 'cut'))?.uuid === left?.uuid, 'it goes on with that recording');
    await publishTo(second, 'cut', headers);
    await until(async () => ((await find(second, 'cut'))?.nn ?? 0) > (left?.nn ?? 0), 'and adds to it');
    await second.post(`${api}/hooks/record/end`, { uuid: left?.uuid }, headers);
    // By id: the publisher goes on, and what it sends is another recording.
    const ended = async (id?: string) => (await recordingsOf(second, headers)).find(({ uuid }) => uuid === id);
    const isDone = async (id?: string) => (await ended(id))?.upload?.state === 'done';
    for (const each of [waiting, left]) await until(() => isDone(each?.uuid), `${each?.stream} is in the bucket`);
    const { broadcasts } = (await second.post(`${api}/mgmt/streams/broadcasts`, {}, headers)).data;
    expect(broadcasts.map(({ stream }: { stream: string }) => stream)).toEqual(['cut', 'sent']);
    const cut = await ended(left?.uuid);
    expect(cut).toMatchObject({ progress: false, stream: 'cut' });
    expect(cut?.duration).toBeGreaterThan(left?.duration ?? 0);
    expect(await complaints(s3.path(cut?.upload?.key ?? ''), 60)).toBe('');

    wake();
    await until(() => first.records('this server no longer leads').length > 0, 'it knows');
    await until(() => first.records('on standby').length > 0, 'it waits');
    const { data } = await second.post(`${api}/mgmt/streams/broadcasts`, {}, headers);
    expect(data.broadcasts).toMatchObject(broadcasts.map(({ id }: { id: number }) => ({ id })));
    const names = readdirSync(files).filter((name) => name.startsWith('timeline'));
    expect(names.filter((name) => name.endsWith('.db'))).toHaveLength(1);
    expect(first.output + second.output).not.toMatch(/an index (was damaged|could not)/);
  } finally {
    wake();
    await s3.close();
  }
});
