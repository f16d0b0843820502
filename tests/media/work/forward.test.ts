import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { childrenOf, isAlive, until, Weir } from '../../weir.fixture.ts';
import { Publisher, probe } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

/** State of a destination in the API. */
interface Row {
  readonly platform: string;
  readonly stream?: string;
  readonly start?: string;
  readonly process: { readonly state: string; readonly starts: number; readonly failure: { cause: string } | null };
}

const forward = '/terraform/v1/ffmpeg/forward';
let here: Live;
let there: Live;
let publishers: Publisher[] = [];
beforeAll(async () => {
  [here, there] = await Promise.all([Live.start(), Live.start()]);
});
afterEach(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  publishers = [];
  const saved = Object.keys((await here.post(`${forward}/secret`)).data);
  for (const platform of saved) await here.post(`${forward}/secret`, { action: 'remove', platform });
});
afterAll(() => Promise.all([here.close(), there.close()]));

function publish(name: string): Publisher {
  const publisher = new Publisher(here.publishUrl(name));
  publishers.push(publisher);
  return publisher;
}

async function save(platform: string, fields: object): Promise<void> {
  const { code, data } = await here.post(`${forward}/secret`, { action: 'update', enabled: true, platform, ...fields });
  expect([code, data]).toEqual([0, null]);
}

async function row(platform: string): Promise<Row> {
  const rows: Row[] = (await here.post(`${forward}/streams`)).data;
  const found = rows.find((one) => one.platform === platform);
  if (!found) throw new Error(`no row of ${platform}`);
  return found;
}

const stateOf = async (platform: string) => (await row(platform)).process.state;
const becomes = (platform: string, state: string, withinMs = 60_000) =>
  until(async () => (await stateOf(platform)) === state, `${platform} is ${state}`, withinMs).catch(async (error) => {
    throw new Error(`${String(error)}; it is ${JSON.stringify(await row(platform))}`);
  });
/** On the other server, which asks for a secret of its own. */
const target = (live: Live, name: string) => ({
  server: `rtmp://127.0.0.1:${live.weir.rtmpPort}/live`,
  secret: `${name}?secret=${live.secret}`,
});

const srtKey = (live: Live, name: string) => `?streamid=#!::r=live/${name}?secret=${live.secret},m=publish`;

function ffmpegsOf(server: number): number[] {
  return childrenOf(server).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('ffmpeg'));
}

it('a stream is forwarded to another server, waits while it is away, and is there soon after it returns', async () => {
  await save('wx', target(there, 'copy'));
  await save('bilibili', { ...target(there, 'by-name'), stream: 'live/second' });
  expect(await stateOf('wx')).toBe('waiting');
  const publisher = publish('show');
  await becomes('wx', 'live');
  expect(await row('wx')).toMatchObject({ stream: 'live/show', process: { failure: null } });
  expect(await probe(there.rtmp('copy'))).toMatchObject([
    { codec_name: 'h264', width: 640 },
    { codec_name: 'aac', channels: 2 },
  ]);
  expect(await stateOf('bilibili')).toBe('waiting');
  // Our own program reads the stream, and nobody watches it.
  expect((await here.post('/terraform/v1/mgmt/streams/query')).data.streams).toMatchObject([{ media: { viewers: 0 } }]);

  // A second stream does not displace the first, and goes to its own destination.
  publish('second');
  await becomes('bilibili', 'live');
  expect(await row('wx')).toMatchObject({ stream: 'live/show', process: { starts: 1 } });

  // Saved again as it was: nothing is disturbed.
  await save('bilibili', { ...target(there, 'by-name'), label: 'the second' });
  await publisher.stop();
  await until(async () => (await row('wx')).stream === 'live/second', 'the other stream is taken');
  await save('wx', { ...target(there, 'copy'), stream: 'show' });
  await becomes('wx', 'waiting');
  const beganMs = performance.now();
  publish('show');
  await becomes('wx', 'live');
  const tookMs = Math.round(performance.now() - beganMs);
  // Three seconds where nothing else runs, ten at a load of twenty; the figure is what to look at.
  process.stdout.write(`forward: live ${tookMs} ms after the encoder was started\n`);
  expect(tookMs).toBeLessThan(20_000);
  expect(await row('bilibili')).toMatchObject({ process: { state: 'live', starts: 1 } });
  expect(JSON.stringify((await here.post(`${forward}/streams`)).data)).not.toContain(there.secret);
  expect(here.weir.output).not.toContain(there.secret);
});

it('a forward target that goes away is retried until it is back, and no other target is affected', async () => {
  let target = await Weir.start();
  const auth = { authorization: `Bearer ${(await target.setUp()).bearer}` };
  await target.post('/terraform/v1/hooks/srs/secret/disable', { pubNoAuth: true }, auth);
  const { dataDir, rtmpPort } = target;
  try {
    await save('wx', { server: `rtmp://127.0.0.1:${rtmpPort}/live`, secret: 'copy' });
    await save('bilibili', { server: `srt://127.0.0.1:${there.weir.srtPort}`, secret: srtKey(there, 'by-srt') });
    publish('show');
    await Promise.all([becomes('wx', 'live'), becomes('bilibili', 'live')]);
    expect(await probe(there.rtmp('by-srt'))).toMatchObject([{ codec_name: 'h264' }, { codec_name: 'aac' }]);

    const { start } = await row('bilibili');
    target.process.kill('SIGTERM');
    await until(() => target.process.exitCode !== null, 'the target is gone');
    await becomes('wx', 'reconnecting');
    await until(async () => (await row('wx')).process.failure?.cause === 'connection-refused', 'it was tried again');
    expect(await stateOf('bilibili')).toBe('live');
    target = await Weir.start({ WEIR_RTMP_LISTEN: `127.0.0.1:${rtmpPort}` }, dataDir);
    await becomes('wx', 'live');
    const url = `rtmp://127.0.0.1:${rtmpPort}/live/copy`;
    expect(await probe(url)).toMatchObject([{ codec_name: 'h264' }, { codec_name: 'aac' }]);
    expect(await row('bilibili')).toMatchObject({ start, process: { state: 'live', failure: null } });
  } finally {
    await target.close();
  }
});

it('H.265 is forwarded by SRT, and by RTMP the state says that it cannot, rather than send audio alone', async () => {
  const by = `srt://127.0.0.1:${here.weir.srtPort}${srtKey(here, 'hevc')}`;
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=15', '-f', 'lavfi', '-i', 'sine=sample_rate=44100'];
  const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-g', '15', '-c:a', 'aac'];
  publishers.push(new Publisher(by, [...picture, ...x265], 'mpegts'));
  await until(() => here.isLive('hevc'), 'it is published');
  await save('wx', target(there, 'no-hevc'));
  await save('bilibili', { server: `srt://127.0.0.1:${there.weir.srtPort}`, secret: srtKey(there, 'hevc') });
  // Not by its state alone: what ran before may still be failing for another reason.
  const cannot = async () => (await row('wx')).process.failure?.cause === 'codec-unsupported';
  await Promise.all([until(cannot, 'it says that it cannot'), becomes('bilibili', 'live')]);
  expect(await stateOf('wx')).not.toBe('live');
  const srt = `srt://127.0.0.1:${there.weir.srtPort}?streamid=#!::r=live/hevc,m=request`;
  expect(await probe(srt)).toMatchObject([{ codec_name: 'hevc', width: 320 }, { codec_name: 'aac' }]);
});

it('a killed server has the same processes running once each after its restart', async () => {
  await save('wx', target(there, 'copy'));
  publish('show');
  await becomes('wx', 'live');
  const { start } = await row('wx');
  const server = here.weir.pidOf('server');
  const [before] = ffmpegsOf(server);
  process.kill(server, 'SIGKILL');
  await until(() => before !== undefined && !isAlive(before), 'its ffmpeg is gone with it');
  await until(async () => (await here.post('/terraform/v1/mgmt/check')).status === 200, 'server back');
  await becomes('wx', 'live');
  expect((await row('wx')).start).not.toBe(start);
  expect(ffmpegsOf(here.weir.pidOf('server'))).toHaveLength(1);
});
