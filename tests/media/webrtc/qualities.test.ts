import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { commonSegments, type Listed, packetsOf, segmentsOf, urisOf } from '../fixtures/variants.fixture.ts';
import { type ViewerReport, viewerProbe } from '../fixtures/viewer/viewer-probe.fixture.ts';
import { RtcDesk } from './rtc-desk.fixture.ts';
import { SimulcastPublisher } from './simulcast.fixture.ts';

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
  expect(sizes(master)).toEqual([1280, 640, 320]);
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
    ['.m3u8', 1000],
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
    await plays(1280, 2);
    await page.evaluate('viewer.begin()');
    const from = (await state()).time;
    for (const [level, width] of [320, 640, 1280].entries()) {
      // The next segment is of another quality; what is buffered stays.
      await page.evaluate(`hls.loadLevel = ${level}`);
      await plays(width, 2);
    }
    const seen = await page.evaluate<ViewerReport>('viewer.report()');
    expect(Math.abs((await state()).time - from - seen.seconds)).toBeLessThan(1);
    expect(await page.evaluate('errors')).toEqual([]);
    expect(seen.stalledMs).toBeLessThan(1000);
    expect(seen.longestGapMs).toBeLessThan(mostGapMs);
    await page.close();
  }
});

it('players get the quality that they ask for, and viewers via WebRTC what fits', async () => {
  const width = (query: string) => widthOf(desk.live.http('layers', `.flv${query}`));
  expect(await Promise.all(['', '?quality=360p', '?quality=200p'].map(width))).toEqual([1280, 640, 320]);
  const pinned = await desk.call('whep', 'layers', '', '&quality=180p');
  const auto = await desk.call('whep', 'layers');
  await until(async () => (await pinned.facts()).video?.frameWidth === 320, 'the smallest is seen');
  await until(async () => (await auto.facts()).video?.frameWidth === 1280, 'the largest is seen', 40_000);
  expect((await pinned.facts()).video?.frameWidth).toBe(320);
  await until(
    async () => (await desk.clientsOf('layers')).some(({ transport }) => transport?.qualityLines === 180),
    'the list of viewers says so',
  );
});

async function widthOf(url: string): Promise<number> {
  const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=width', '-of', 'csv=p=0', url];
  return Number((await promisify(execFile)('ffprobe', args, { timeout: 30_000 })).stdout.trim());
}
