import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { videoIs } from '../../e2e/fixtures/browser.fixture.ts';
import { madeOnce } from '../../made-once.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Replay } from '../fixtures/replay.fixture.ts';
import { pitchProbe } from '../fixtures/tone/pitch-probe.fixture.ts';
import { mpegTsTracks, pitches, recordTracks } from '../fixtures/tracks.fixture.ts';
import { commonSegments, type Listed, packetsOf, segmentsOf, urisOf } from '../fixtures/variants.fixture.ts';
import { type ViewerReport, viewerProbe } from '../fixtures/viewer/viewer-probe.fixture.ts';
import { RtcDesk } from './rtc-desk.fixture.ts';
import { SimulcastPublisher } from './simulcast.fixture.ts';

/** Up to 2.0 s were seen where the machine had more to encode, decode and test than it could. */
const mostStalledMs = 2500;

let desk: RtcDesk;
let publisher: SimulcastPublisher;

beforeAll(async () => {
  desk = await RtcDesk.start();
  await desk.live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  publisher = await SimulcastPublisher.open(
    desk.browser,
    desk.live.weir.origin,
    desk.url('whip', 'layers', `&secret=${desk.live.secret}`),
  );
  expect(publisher.answer.status).toBe(201);
});
afterAll(() => desk.close());

const text = async (url: string) => (await fetch(url)).text();
const sizes = (master: string) => [...master.matchAll(/RESOLUTION=(\d+)x/g)].map(([, width]) => Number(width));

/** Media playlists of the master at this address, best first, once it has all three. */
async function readVariants(ending: string): Promise<{ master: string; urls: string[] }> {
  const url = desk.live.http('layers', ending);
  let master = '';
  await until(
    async () => {
      master = await text(url);
      return sizes(master).length === 3;
    },
    `three qualities at ${ending}`,
    40_000,
  );
  return { master, urls: urisOf(master).map((uri) => new URL(uri, url).href) };
}

it('a simulcast publisher is three variants of one master playlist, cut at the same pictures', async () => {
  const { master, urls } = await readVariants('.m3u8');
  expect(sizes(master)).toEqual([640, 320, 160]);
  expect(master.match(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"/gi)).toHaveLength(3);
  expect(master.match(/AVERAGE-BANDWIDTH=\d+/g)).toHaveLength(3);
  let lists: Map<number, Listed>[] = [];
  // A quality may begin or pause in the middle of a segment, which is a gap then.
  const common = () => commonSegments(lists);
  await until(
    async () => {
      lists = (await Promise.all(urls.map(text))).map(segmentsOf);
      return common().length >= 3;
    },
    'segments that all have',
    60_000,
  );
  for (const number of common()) {
    const facts = lists.map((list) => ({ ...list.get(number), uri: '' }));
    for (const each of facts) expect(each).toEqual(facts[0]);
  }
  const newest = common().at(-1) ?? 0;
  const found = await Promise.all(
    lists.map((list, n) => packetsOf(new URL(list.get(newest)?.uri ?? '', urls[n]).href)),
  );
  for (const each of found) expect(each).toEqual(found[0]);
  expect(found[0]?.beginsWithKeyframe).toBe(true);
});

it('hls.js changes the quality of ordinary and low-latency HLS, and plays on', async () => {
  const library = await readFile(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'), 'utf8');
  const start = (url: string) => `
    window.errors = [];
    window.hls = new Hls({ lowLatencyMode: true, startLevel: 2, maxBufferLength: 4, maxMaxBufferLength: 6 });
    window.video = document.querySelector('video');
    hls.on(Hls.Events.ERROR, (_, { details, fatal }) => fatal && errors.push(details));
    hls.loadSource(${JSON.stringify(url)});
    hls.attachMedia(video);
  `;
  for (const [ending, mostGapMs] of [
    ['.m3u8', 2000],
    // Replacing what is shown makes video wait for the next keyframe, while audio continues.
    ['.ll.m3u8', 3000],
  ] as const) {
    await readVariants(ending);
    const page = await desk.browser.newPage();
    await page.addInitScript(viewerProbe);
    // A page without an origin may not read from this machine.
    await page.goto(`${desk.live.weir.origin}/terraform/v1/mgmt/versions`);
    await page.setContent('<video muted autoplay playsinline width="320"></video>');
    await page.addScriptTag({ content: library });
    await page.evaluate(start(desk.live.http('layers', ending)));
    const state = () =>
      page.evaluate<{ time: number; width: number }>('({ time: video.currentTime, width: video.videoWidth })');
    const plays = async (width: number, seconds: number) => {
      const { time } = await state();
      const isThere = (now: { time: number; width: number }) => now.width === width && now.time > time + seconds;
      await until(async () => isThere(await state()), `${ending} plays with a width of ${width}`);
    };
    await plays(640, 2);
    await page.evaluate('viewer.begin()');
    const from = (await state()).time;
    for (const [level, width] of [160, 320, 640].entries()) {
      // The next segment is of another quality; what is buffered stays.
      await page.evaluate(`hls.loadLevel = ${level}`);
      await plays(width, 2);
    }
    const seen = await page.evaluate<ViewerReport>('viewer.report()');
    expect(Math.abs((await state()).time - from - seen.seconds)).toBeLessThan(1);
    expect(await page.evaluate('errors')).toEqual([]);
    expect(seen.stalledMs).toBeLessThan(mostStalledMs);
    expect(seen.longestGapMs).toBeLessThan(mostGapMs);
    await page.close();
  }
});

it('players get the quality that they ask for, and viewers via WebRTC what fits', async () => {
  const width = (query: string) => widthOf(desk.live.http('layers', `.flv${query}`));
  expect(await Promise.all(['', '?quality=180p', '?quality=100p'].map(width))).toEqual([640, 320, 160]);
  const pinned = await desk.call('whep', 'layers', '', '&quality=90p');
  const auto = await desk.call('whep', 'layers');
  await until(async () => (await pinned.facts()).video?.frameWidth === 160, 'the smallest is seen');
  await until(async () => (await auto.facts()).video?.frameWidth === 640, 'the largest is seen', 40_000);
  expect((await pinned.facts()).video?.frameWidth).toBe(160);
  await until(
    async () => (await desk.clientsOf('layers')).some(({ transport }) => transport?.qualityLines === 90),
    'the list of viewers says so',
  );
});

it('a viewer chooses the quality on the watch page, over WebRTC and over HLS', async () => {
  await readVariants('.m3u8');
  const { data } = await desk.live.post('/terraform/v1/mgmt/access/playback', { app: 'live', stream: 'layers' });
  const open = async (prepare: string) => {
    const page = await desk.browser.newPage();
    await page.addInitScript(viewerProbe);
    await page.addInitScript(prepare);
    await page.goto(`${desk.live.weir.origin}/watch/${data.playback}`);
    return page;
  };
  for (const prepare of ['', 'delete window.RTCPeerConnection']) {
    const page = await open(prepare);
    await videoIs(page, 'video.videoWidth > 0 && video.currentTime > 3');
    await page.evaluate('viewer.begin()');
    const offers: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/whep/')) offers.push(request.url());
    });
    for (const [name, width] of [
      ['180p', 320],
      ['90p', 160],
    ] as const) {
      await page.getByLabel('Quality').selectOption(name);
      await videoIs(page, `video.videoWidth === ${width}`);
    }
    // The choice changes the session that is there.
    expect(offers).toEqual([]);
    const seen = await page.evaluate<ViewerReport>('viewer.report()');
    expect(seen.stalledMs).toBeLessThan(mostStalledMs);
    expect(seen.longestGapMs).toBeLessThan(3000);
    await page.close();
  }
});

/** In the page: plays with hls.js, and listens to what is played. */
const listen = (url: string) => `
  window.errors = [];
  window.hls = new Hls({ lowLatencyMode: true });
  window.video = document.querySelector('video');
  hls.on(Hls.Events.ERROR, (_, { details, fatal }) => fatal && errors.push(details));
  hls.loadSource(${JSON.stringify(url)});
  hls.attachMedia(video);
  ${pitchProbe}
`;

describe('two video and two audio tracks of one publisher', () => {
  const name = 'tracks';
  let stop: () => Promise<void> = async () => {};
  beforeAll(() => publisher.page.close());
  afterEach(() => stop());

  async function publishBy(protocol: string): Promise<void> {
    const { weir, secret } = desk.live;
    if (protocol === 'RTMP') {
      const replay = await Replay.start(weir.rtmpPort, `${name}-RTMP?secret=${secret}`, recordTracks());
      stop = () => replay.stop();
      return;
    }
    const file = madeOnce(mpegTsTracks, 'ts');
    const url = `srt://127.0.0.1:${weir.srtPort}?streamid=#!::r=live/${name}-SRT?secret=${secret},m=publish`;
    const sender = new Publisher(url, ['-stream_loop', '-1', '-i', file, '-map', '0', '-c', 'copy'], 'mpegts');
    stop = () => sender.stop('SIGKILL');
  }

  it.each(['RTMP', 'SRT'])('by %s are qualities and languages in hls.js', async (protocol) => {
    await publishBy(protocol);
    const library = await readFile(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'), 'utf8');
    for (const ending of ['.m3u8', '.ll.m3u8']) {
      const url = desk.live.http(`${name}-${protocol}`, ending);
      let master = '';
      const isWhole = async () => {
        master = await text(url);
        return sizes(master).length === 2 && master.includes('URI="');
      };
      await until(isWhole, `all tracks at ${ending}`, 40_000);
      expect(sizes(master)).toEqual([640, 320]);
      const page = await desk.browser.newPage();
      await page.goto(`${desk.live.weir.origin}/terraform/v1/mgmt/versions`);
      await page.setContent('<video autoplay playsinline width="320"></video>');
      await page.addScriptTag({ content: library });
      await page.evaluate(listen(url));
      const hears = (hertz: number) =>
        until(async () => {
          const heard = await page.evaluate<number>('hertz()');
          return Math.abs(heard - hertz) < 30;
        }, `${hertz} Hz is heard at ${ending}`);
      await hears(pitches.english);
      expect(await page.evaluate('hls.levels.map(({ height }) => height)')).toEqual([180, 360]);
      const tracks = "hls.audioTracks.map(({ name, lang }) => name + ' ' + lang)";
      expect(await page.evaluate(tracks)).toEqual(['English en', 'Deutsch de']);
      await page.evaluate('hls.audioTrack = 1');
      await hears(pitches.german);
      await page.evaluate('hls.currentLevel = 0');
      await until(async () => (await page.evaluate('video.videoWidth')) === 320, 'the smaller video is seen');
      await hears(pitches.german);
      await page.evaluate('hls.audioTrack = 0');
      await hears(pitches.english);
      expect(await page.evaluate('errors')).toEqual([]);
      await page.close();
    }
  });
});

it('viewers of VP9 change the quality, too, and go on decoding', async () => {
  const vp9 = await SimulcastPublisher.open(
    desk.browser,
    desk.live.weir.origin,
    desk.url('whip', 'vp9', `&secret=${desk.live.secret}`),
    'video/VP9',
  );
  expect(vp9.answer.sdp).toContain('VP9/90000');
  const hasAll = async () => {
    const { streams } = (await desk.live.post('/terraform/v1/mgmt/streams/query')).data as StreamList;
    return streams.find(({ stream }) => stream === 'vp9')?.media?.qualities?.length === 3;
  };
  await until(hasAll, 'three qualities of VP9', 40_000);
  const page = await desk.browser.newPage();
  await page.addInitScript(viewerProbe);
  await page.goto(`${desk.live.weir.origin}/players/whep.html?stream=vp9&eip=127.0.0.1&autostart=true`);
  for (const [name, width] of [
    ['90p', 160],
    ['360p', 640],
    ['180p', 320],
    ['90p', 160],
  ] as const) {
    await page.getByLabel('Quality').selectOption(name);
    await videoIs(page, `video.videoWidth === ${width}`);
    await page.evaluate('viewer.begin()');
    await until(async () => (await page.evaluate<ViewerReport>('viewer.report()')).frames > 10, `${name} is shown`);
  }
  await page.close();
  await vp9.page.close();
});

interface StreamList {
  readonly streams: readonly {
    readonly stream: string;
    readonly media?: { readonly qualities?: readonly unknown[] };
  }[];
}

async function widthOf(url: string): Promise<number> {
  const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=width', '-of', 'csv=p=0', url];
  return Number((await promisify(execFile)('ffprobe', args, { timeout: 60_000 })).stdout.trim());
}
