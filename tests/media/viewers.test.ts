import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { Publisher } from './fixtures/ffmpeg.fixture.ts';
import { FlvViewer, Live } from './fixtures/live.fixture.ts';

let here: Live;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  here = await Live.start({ WEIR_DELIVERY_WORKERS: '1' });
});
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});
afterAll(() => here.close());

interface Counted {
  readonly viewers: number;
  readonly viewersBy: Record<string, number>;
}

const forward = '/terraform/v1/ffmpeg/forward';
const vlive = '/terraform/v1/ffmpeg/vlive';
const place = { vhost: '__defaultVhost__', app: 'live' };

async function counted(name: string): Promise<Counted | undefined> {
  const { streams } = (await here.post('/terraform/v1/mgmt/streams/query')).data;
  return streams.find(({ stream }: { stream: string }) => stream === name)?.media;
}

/** The list of the console may be a tenth of a second old. */
const expectCounted = (name: string) => expect.poll(() => counted(name), { timeout: 60_000 });

async function publish(name: string): Promise<void> {
  const publisher = new Publisher(here.publishUrl(name));
  ends.push(() => publisher.stop('SIGKILL'));
  await until(() => here.isLive(name), `${name} is live`);
}

/** A player as people have them. */
function play(url: string): void {
  const player: ChildProcess = spawn('ffmpeg', ['-v', 'error', '-i', url, '-f', 'null', '-'], { stdio: 'ignore' });
  ends.push(() => player.kill('SIGKILL'));
}

/** The address with which the console shows a stream. */
async function preview(name: string, suffix: string): Promise<string> {
  const { query } = (await here.post('/terraform/v1/mgmt/streams/preview', { ...place, stream: name })).data;
  return `${here.http(name, suffix)}?${query}`;
}

async function watchFlv(url: string): Promise<void> {
  const viewer = await FlvViewer.open(url);
  ends.push(() => viewer.close());
  await until(() => viewer.bytes > 10_000, 'it plays');
}

/** Asks as an HLS player does: the master playlist, then the one it names. */
async function watchHls(url: string): Promise<string> {
  const master = await (await fetch(url)).text();
  const named = master.split('\n').find((line) => line.includes('.m3u8')) ?? '';
  let text = '';
  // Held back for eight seconds at most, and the first segment may take ten.
  const isThere = async () => {
    const answer = await fetch(new URL(named, url));
    text = answer.ok ? await answer.text() : '';
    return answer.ok;
  };
  await until(isThere, 'a playlist');
  return text;
}

it('a player counts once, by its protocol; the console’s own preview and a forward do not count', async () => {
  await publish('show');
  await expectCounted('show').toMatchObject({ viewers: 0 });

  const { rtmpPort } = here.weir;
  const target = { server: `rtmp://127.0.0.1:${rtmpPort}/live`, secret: `copy?secret=${here.secret}` };
  await here.post(`${forward}/secret`, { action: 'update', platform: 'wx', enabled: true, ...target });
  await until(() => here.isLive('copy'), 'it is sent on');
  await watchFlv(await preview('show', '.flv'));
  expect(await watchHls(await preview('show', '.m3u8'))).toContain('#EXTINF');
  await expectCounted('show').toMatchObject({ viewers: 0 });

  play(here.rtmp('show'));
  await until(async () => (await counted('show'))?.viewers === 1, 'the player is counted');
  await expectCounted('show').toMatchObject({ viewersBy: { rtmp: 1, flv: 0, hls: 0, rtc: 0, srt: 0 } });
  expect(await watchHls(here.http('show', '.m3u8'))).toContain('#EXTINF');
  await watchFlv(here.http('show', '.flv'));
  await expectCounted('show').toMatchObject({ viewers: 3, viewersBy: { rtmp: 1, flv: 1, hls: 1 } });

  // The list of SRS tells everybody, and nothing of what the console showed.
  const { clients } = (await here.post('/api/v1/clients?count=100')) as unknown as { clients: object[] };
  expect(clients.length).toBeGreaterThanOrEqual(8);
  expect(JSON.stringify(clients)).not.toContain('weir-');
});

/** A virtual live whose source is an address, and its destination a stream of this server. */
async function sendOn(platform: string, source: string, name: string): Promise<void> {
  const { data } = await here.post(`${vlive}/stream-url`, { url: source });
  const files = [{ uuid: data.uuid }];
  expect(await here.post(`${vlive}/source`, { platform, files })).toMatchObject({ code: 0 });
  const target = { server: `rtmp://127.0.0.1:${here.weir.rtmpPort}/live`, secret: name };
  expect(
    await here.post(`${vlive}/secret`, { action: 'update', platform, enabled: true, files, ...target }),
  ).toMatchObject({ code: 0 });
  ends.push(() => here.post(`${vlive}/secret`, { action: 'remove', platform }));
}

it('a source that is a stream of this server by its address is not counted as a viewer, whatever the protocol', async () => {
  await publish('origin');
  const { srtPort, httpsPort } = here.weir;
  const id = encodeURIComponent('#!::r=live/origin,m=request');
  const sources = {
    wx: here.rtmp('origin'),
    bilibili: here.http('origin', '.flv'),
    kuaishou: here.http('origin', '.m3u8'),
    'vlive-4-srt': `srt://127.0.0.1:${srtPort}?streamid=${id}`,
    'vlive-5-tls': `https://localhost:${httpsPort}/live/origin.flv`,
  };
  for (const [platform, url] of Object.entries(sources)) await sendOn(platform, url, `copy-${platform}`);
  for (const platform of Object.keys(sources)) {
    await until(() => here.isLive(`copy-${platform}`), `${platform} is sent on`);
  }
  expect(await counted('origin')).toMatchObject({ viewers: 0 });
  const { clients } = (await here.post('/api/v1/clients?count=100')) as unknown as { clients: { type: string }[] };
  const kinds = clients.map(({ type }) => type);
  expect(kinds).toEqual(expect.arrayContaining(['flv-play', 'hls-play', 'rtmp-play', 'srt-play']));
  expect(JSON.stringify(clients)).not.toContain('weir-');
});

it('a ticket of the console counts for its own stream only, and does not permit publishing', async () => {
  await publish('one');
  const ticket = (await preview('one', '.flv')).split('?')[1];
  await publish('two');
  await watchFlv(`${here.http('two', '.flv')}?${ticket}`);
  expect(await counted('two')).toMatchObject({ viewers: 1 });
  const thief = new Publisher(here.rtmp('three', `?${ticket}`));
  ends.push(() => thief.stop('SIGKILL'));
  await until(() => thief.hasEnded, 'it is refused');
  expect(await counted('three')).toBeUndefined();
});
