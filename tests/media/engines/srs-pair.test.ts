import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../free-port.fixture.ts';
import { RedisServer } from '../../redis-server.fixture.ts';
import { isAlive, until, Weir } from '../../weir.fixture.ts';
import { Publisher, probe } from '../fixtures/ffmpeg.fixture.ts';
import { Srs, srsEnvironment, srsPorts } from './srs.fixture.ts';

const api = '/terraform/v1';
const token = '0123456789abcdef0123456789abcdef';
let home = '';
let redis: RedisServer;
let srs: Srs;
let ports: Awaited<ReturnType<typeof srsPorts>>;
/** The address that moves to whoever leads. */
let floating: Server;
let leadingHooks = 0;
const weirs: Weir[] = [];
const publishers: Publisher[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'weir-srs-pair-'));
  ports = await srsPorts();
  redis = await RedisServer.start();
  floating = createServer((socket) => {
    const to = connect(leadingHooks, '127.0.0.1');
    for (const one of [socket, to]) one.on('error', () => one.destroy());
    socket.pipe(to).pipe(socket);
  });
  await new Promise<void>((resolve) => floating.listen(ports.hooks, '127.0.0.1', resolve));
  srs = await Srs.start(ports, { directory: join(home, 'srs'), token });
});
afterAll(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  await Promise.all(weirs.map((weir) => weir.close()));
  await srs?.stop();
  floating?.close();
  await redis?.close();
  rmSync(home, { recursive: true, force: true });
});

async function start(name: string, hooksPort: number): Promise<Weir> {
  const [port, dataDir] = [await freePort(), join(home, name)];
  mkdirSync(join(dataDir, 'config'), { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, 'config', 'srs-hook-token'), token, { mode: 0o600 });
  const own = { WEIR_SRS_HOOKS: `127.0.0.1:${hooksPort}`, MGMT_LISTEN: `127.0.0.1:${port}` };
  const shared = { WEIR_STORE: redis.url, WEIR_FILES: join(home, 'files'), WEIR_NODE_URL: `http://127.0.0.1:${port}` };
  const weir = await Weir.start({ ...srsEnvironment(ports), ...own, ...shared }, dataDir);
  weirs.push(weir);
  return weir;
}

function publish(query: string): Publisher {
  const publisher = new Publisher(`rtmp://127.0.0.1:${ports.rtmp}/live/${query}`);
  publishers.push(publisher);
  return publisher;
}

it('hands the streams of an SRS over to the standby, with their recordings and timelines, while they continue', async () => {
  const hookPorts = [await freePort(), await freePort()] as const;
  mkdirSync(join(home, 'files'));
  [leadingHooks] = hookPorts;
  const first = await start('first', hookPorts[0]);
  const headers = { authorization: `Bearer ${(await first.setUp()).bearer}` };
  const second = await start('second', hookPorts[1]);
  const callWeir = async (weir: Weir, path: string, body: object = {}) => {
    const answer = await weir.post(`${api}/${path}`, body, headers).catch(() => undefined);
    return answer?.code === 0 ? answer.data : undefined;
  };
  const secret: string = (await callWeir(first, 'hooks/srs/secret/query')).publish;
  await callWeir(first, 'hooks/record/apply', { all: true });

  const show = publish(`show?secret=${secret}`);
  const segments = async (weir: Weir) => (await callWeir(weir, 'hooks/record/files'))?.[0];
  await until(async () => (await segments(first))?.nn >= 1, 'it is recorded');
  expect((await probe(`${second.origin}/live/show.m3u8`)).map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
  const broadcasts = async (weir: Weir) => (await callWeir(weir, 'mgmt/streams/broadcasts'))?.broadcasts;
  const [before] = await broadcasts(second);
  expect(before).toMatchObject({ stream: 'show', endedAt: '' });
  const recorded = await segments(first);

  for (const pid of [first.process.pid ?? 0, first.pidOf('engine'), first.pidOf('server')])
    process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(first.process.pid ?? 0), 'the machine is off');
  await until(() => second.records('this server leads now').length > 0, 'the other one leads');
  leadingHooks = hookPorts[1];
  const live = async () =>
    (await callWeir(second, 'mgmt/streams/query'))?.streams.map((one: { stream: string }) => one.stream);
  await until(async () => (await live())?.join() === 'show', 'the stream is still listed');
  await until(async () => (await segments(second))?.nn > recorded.nn, 'its recording continues');
  expect((await segments(second)).uuid).toBe(recorded.uuid);
  await until(async () => (await broadcasts(second))?.length === 1, 'so does its broadcast');
  expect((await broadcasts(second))[0]).toMatchObject({ id: before.id, beganAt: before.beganAt, endedAt: '' });
  expect(show.hasEnded).toBe(false);
  const stranger = publish('other?secret=wrong');
  await until(() => stranger.hasEnded, 'the secret counts');
  publish(`other?secret=${secret}`);
  await until(async () => (await live())?.sort().join() === 'other,show', 'others may come');
});
