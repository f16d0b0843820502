import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFilm } from '../../../apps/server/src/media-sources/media.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

const run = promisify(execFile);
const vlive = '/terraform/v1/ffmpeg/vlive';
const megabyte = 1_000_000;

interface Row {
  readonly platform: string;
  readonly source?: string;
  readonly process: { readonly state: string; readonly starts: number; readonly failures: number };
}

let live: Live;
beforeAll(async () => {
  live = await Live.start({ SRS_PLATFORM_SECRET: bearer });
});
afterAll(() => live.close());

const bearer = 'srs-v2-11111111111111111111111111111111';
const headers = { authorization: `Bearer ${bearer}` };

/** Sends a body of any length as it is made, as a browser sends a file. An answer ends it, also one that comes before its end. */
async function send(path: string, body: AsyncIterable<Buffer>, more: Record<string, string> = {}) {
  const outgoing = request(`${live.weir.origin}${vlive}/${path}`, { method: 'POST', headers: { ...headers, ...more } });
  const answer = new Promise<string>((resolve, reject) => {
    outgoing.on('error', reject).on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve(text);
      if (!outgoing.writableFinished) outgoing.destroy();
    });
  });
  await Promise.all([answer, pipeline(Readable.from(body), outgoing).catch(() => undefined)]);
  return JSON.parse(await answer) as { code: number; data: { uuid: string; target: string; offset: number } };
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

async function upload(path: string, name: string): Promise<string> {
  const head = `--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), await readFile(path), Buffer.from('\r\n--b--\r\n')]);
  const { data } = await send(`upload/${name}`, once(body), { 'content-type': 'multipart/form-data; boundary=b' });
  return data.uuid;
}

async function play(platform: string, uuids: readonly string[], name: string): Promise<void> {
  const files = uuids.map((uuid) => ({ uuid }));
  expect(await live.post(`${vlive}/source`, { platform, files })).toMatchObject({ code: 0 });
  const target = { server: `rtmp://127.0.0.1:${live.weir.rtmpPort}/live`, secret: `${name}?secret=${live.secret}` };
  const saved = await live.post(`${vlive}/secret`, { action: 'update', platform, enabled: true, files, ...target });
  expect([saved.code, saved.data]).toEqual([0, null]);
}

async function row(platform: string): Promise<Row> {
  const rows: Row[] = (await live.post(`${vlive}/streams`)).data;
  const found = rows.find((one) => one.platform === platform);
  if (!found) throw new Error(`no row of ${platform}`);
  return found;
}

const isLive = (platform: string) =>
  until(async () => (await row(platform)).process.state === 'live', `${platform} is live`);
const forget = (platform: string) => live.post(`${vlive}/secret`, { action: 'remove', platform });

/** Times of the packets of one track over some seconds, as a viewer gets them. */
async function timesOf(name: string, track: 'v' | 'a', seconds: number): Promise<number[]> {
  const what = ['-select_streams', track, '-show_entries', 'packet=dts_time', '-of', 'csv=p=0'];
  const args = ['-v', 'error', ...what, '-read_intervals', `%+${seconds}`, live.http(name, '.flv')];
  const { stdout } = await run('ffprobe', args, { timeout: 120_000, maxBuffer: 16 * megabyte });
  return stdout.split('\n').map(Number.parseFloat).filter(Number.isFinite);
}

function largestStep(times: readonly number[]): { back: number; ahead: number } {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return { back: Math.min(...steps), ahead: Math.max(...steps) };
}

it('a short film plays in a loop as one stream whose clock never jumps, and two films alternate', async () => {
  const film = await upload(await makeFilm({ name: 'film.mp4', seconds: 3 }), 'film.mp4');
  const other = await upload(await makeFilm({ name: 'other.mp4', seconds: 2, tone: 880 }), 'other.mp4');
  await play('wx', [film], 'loop');
  await play('bilibili', [film, other], 'turns');
  await Promise.all([isLive('wx'), isLive('bilibili')]);
  const seen = new Set<string | undefined>();
  const areBothNamed = async () => {
    seen.add((await row('bilibili')).source);
    return seen.has(film) && seen.has(other);
  };
  const [, ...tracks] = await Promise.all([
    until(areBothNamed, 'both films are named as playing'),
    timesOf('loop', 'v', 9),
    timesOf('loop', 'a', 9),
    timesOf('turns', 'v', 9),
    timesOf('turns', 'a', 9),
  ]);
  for (const times of tracks) {
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(8);
    const { back, ahead } = largestStep(times);
    expect(back).toBeGreaterThanOrEqual(0);
    expect(ahead).toBeLessThan(0.3);
  }
  for (const platform of ['wx', 'bilibili']) {
    expect(await row(platform)).toMatchObject({ process: { state: 'live', starts: 1, failures: 0 } });
    await forget(platform);
  }
});

it('a remote stream is read by HTTP-FLV and forwarded', async () => {
  const publisher = new Publisher(live.publishUrl('camera'));
  await until(() => live.isLive('camera'), 'it is published');
  const { data } = await live.post(`${vlive}/stream-url`, { url: live.http('camera', '.flv') });
  await play('kuaishou', [data.uuid], 'taken');
  await isLive('kuaishou');
  expect((await timesOf('taken', 'v', 3)).length).toBeGreaterThan(20);
  await forget('kuaishou');
  await publisher.stop();
});

it('a film of 150 MB is uploaded without growing the memory of the server, and an interrupted one continues after a restart', async () => {
  const piece = Buffer.alloc(megabyte, 'x');
  async function* content(megabytes: number): AsyncGenerator<Buffer> {
    for (let sent = 0; sent < megabytes; sent++) yield piece;
  }
  async function* form(megabytes: number): AsyncGenerator<Buffer> {
    yield Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="big.mp4"\r\n\r\n');
    yield* content(megabytes);
    yield Buffer.from('\r\n--b--\r\n');
  }
  const memory = () =>
    Promise.all((['engine', 'server'] as const).map((plane) => residentBytes(live.weir.pidOf(plane))));
  // The first one loads code and fills buffers that stay.
  await send('upload/big.mp4', form(20), { 'content-type': 'multipart/form-data; boundary=b' });
  const before = await memory();
  let peak = before;
  const watch = setInterval(async () => {
    const now = await memory();
    peak = peak.map((bytes, index) => Math.max(bytes, now[index] ?? 0)) as [number, number];
  });
  const { data } = await send('upload/big.mp4', form(150), { 'content-type': 'multipart/form-data; boundary=b' });
  clearInterval(watch);
  expect((await stat(join(live.weir.dataDir, data.target))).size).toBe(150 * megabyte);
  for (const [index, bytes] of peak.entries()) expect(bytes - (before[index] ?? 0)).toBeLessThan(50 * megabyte);

  // In pieces: the control plane is killed in the middle of one.
  const { data: begun } = await live.post(`${vlive}/uploads/begin`, { name: 'film.mp4', size: 40 * megabyte });
  const offsetNow = async (): Promise<number> =>
    (await live.post(`${vlive}/uploads/query`)).data.find(({ uuid }: { uuid: string }) => uuid === begun.uuid)
      ?.offset ?? -1;
  async function* stalling(): AsyncGenerator<Buffer> {
    yield* content(10);
    await until(async () => (await offsetNow()) > 0, 'some of it has arrived');
    process.kill(live.weir.pidOf('server'), 'SIGKILL');
    yield* content(10);
  }
  await send(`uploads/append/${begun.uuid}/0`, stalling()).catch(() => undefined);
  await until(async () => (await offsetNow().catch(() => -1)) > 0, 'it is known after the restart');
  const offset = await offsetNow();
  expect(offset).toBeLessThanOrEqual(20 * megabyte);
  async function* rest(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(40 * megabyte - offset, 'x');
  }
  expect((await send(`uploads/append/${begun.uuid}/${offset}`, rest())).data.offset).toBe(40 * megabyte);
  const { data: done } = await live.post(`${vlive}/uploads/finish`, { uuid: begun.uuid });
  const whole = await readFile(join(live.weir.dataDir, done.target));
  expect(whole.equals(Buffer.alloc(40 * megabyte, 'x'))).toBe(true);
});

it('a file of the server plays, and continues by itself when the control plane is killed', async () => {
  await mkdir(join(live.weir.dataDir, 'upload'), { recursive: true });
  await copyFile(await makeFilm({ name: 'own.mp4' }), join(live.weir.dataDir, 'upload/own.mp4'));
  const { data } = await live.post(`${vlive}/server`, { file: '/data/upload/own.mp4' });
  await play('vlive-4-a1b2c3', [data.uuid], 'own');
  await isLive('vlive-4-a1b2c3');
  process.kill(live.weir.pidOf('server'), 'SIGKILL');
  await until(
    () =>
      live.post(`${vlive}/streams`).then(
        ({ code }) => code === 0,
        () => false,
      ),
    'it is back',
  );
  await isLive('vlive-4-a1b2c3');
  expect((await row('vlive-4-a1b2c3')).source).toBe(data.uuid);
  await forget('vlive-4-a1b2c3');
  expect((await readdir(join(live.weir.dataDir, 'upload'))).filter((name) => name.endsWith('.part'))).toEqual([]);
});

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
