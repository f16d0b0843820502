import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { launchBrowser, openDesk } from '../../e2e/fixtures/browser.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

let live: Live;
let browser: Browser;
let publisher: Publisher;
beforeAll(async () => {
  [live, browser] = await Promise.all([Live.start(), launchBrowser()]);
  publisher = new Publisher(live.publishUrl('low'));
  await until(() => live.isLive('low'), 'live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await Promise.all([browser.close(), live.close()]);
});

it('hls.js plays low-latency HLS less than two seconds behind', async () => {
  const library = await readFile(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'), 'utf8');
  const page = await browser.newPage();
  await page.setContent('<video muted autoplay playsinline width="320"></video>');
  await page.addScriptTag({ content: library });
  const open = () =>
    page.evaluate(`
      window.hls?.destroy();
      // A little faster than real time until it has caught up, as our own player does.
      window.hls = new Hls({ lowLatencyMode: true, maxLiveSyncPlaybackRate: 1.2 });
      window.video = document.querySelector('video');
      hls.loadSource(${JSON.stringify(live.http('low', '.ll.m3u8'))});
      hls.attachMedia(video);
    `);
  await open();
  const state = async () =>
    (await page.evaluate(
      '({ time: video.currentTime, width: video.videoWidth, latency: hls.latency, stalled: video.readyState < 3 })',
    )) as {
      time: number;
      width: number;
      latency: number;
      stalled: boolean;
    };
  await until(async () => (await state()).time > 1, 'it plays');
  // Four seconds in a row near the live edge. The library stays a second further behind for each time it stalls: a busy machine may need a new start.
  let near = { sinceTime: 0, isNear: false };
  let openedAtMs = Date.now();
  await until(
    async () => {
      const { time, latency } = await state();
      if (Date.now() - openedAtMs > 20_000) {
        openedAtMs = Date.now();
        await open();
      }
      if (latency <= 0 || latency >= 2) near = { sinceTime: time, isNear: false };
      else if (!near.isNear) near = { sinceTime: time, isNear: true };
      return near.isNear && time - near.sinceTime >= 4;
    },
    'four seconds less than two behind',
    90_000,
  );
  expect((await state()).width).toBe(640);
  await page.close();
});

it('a browser gets the console, its events, low-latency HLS and HTTP-FLV over HTTP/2', async () => {
  const origin = `https://127.0.0.1:${live.weir.httpsPort}`;
  const context = await openDesk(browser, { origin, session: live.session }, { ignoreHTTPSErrors: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const answers: { path: string; protocol: string; headers: Record<string, string> }[] = [];
  const devtools = await context.newCDPSession(page);
  devtools.on('Network.responseReceived', ({ response: { url, protocol = '', headers } }) => {
    if (url.startsWith(origin)) answers.push({ path: url.slice(origin.length), protocol, headers });
  });
  await devtools.send('Network.enable');
  const isAnswered = (pattern: RegExp) => answers.some(({ path }) => pattern.test(path));
  await page.goto(`${origin}/mgmt/en/streams`);
  await page.getByRole('link', { name: 'low' }).first().waitFor();
  await until(() => isAnswered(/events/), 'the console listens for events');
  const document = answers.find(({ path }) => path.startsWith('/mgmt'));
  const plain = await fetch(`${live.weir.origin}/mgmt/en/streams`);
  expect(document?.headers['content-security-policy']).toBe(plain.headers.get('content-security-policy'));
  const protocols = await page.evaluate(
    "[...new Set(['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).map((each) => each.nextHopProtocol))]",
  );
  expect(protocols).toEqual(['h2']);
  const time = async () => Number(await page.evaluate('document.querySelector("video")?.currentTime ?? 0'));
  for (const [suffix, ...needed] of [
    ['.ll.m3u8', /\.ll\.m3u8\?.*_HLS_msn=/, /\.ll-\d+-\d+\.m4s/],
    ['.flv', /low\.flv/],
  ] as const) {
    await page.goto(`${origin}/tools/player.html?url=${origin}/live/low${suffix}`);
    await until(async () => (await time()) > 0, `${suffix} is shown`);
    // The first position is that of the stream.
    const first = await time();
    await until(async () => (await time()) > first + 2, `${suffix} plays`);
    for (const each of needed) await until(() => isAnswered(each), `${each} is answered`);
  }
  expect(new Set(answers.map(({ protocol }) => protocol))).toEqual(new Set(['h2']));
  expect(answers.filter(({ headers }) => 'set-cookie' in headers)).toEqual([]);
});

it('hls.js and fetch play from a page of another site that sends its cookies along', async () => {
  const library = await readFile(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'), 'utf8');
  const site = createServer((request, answer) => {
    if (request.url === '/hls.js') answer.writeHead(200, { 'content-type': 'text/javascript' }).end(library);
    else
      answer
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<video muted autoplay playsinline></video><script src="/hls.js"></script>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  const sources = ['.m3u8', '.ll.m3u8'].map((suffix) => live.http('low', suffix));
  for (const source of sources) {
    await page.evaluate(`
      window.hls?.destroy();
      window.video = document.querySelector('video');
      window.hls = new Hls({ xhrSetup: (xhr) => { xhr.withCredentials = true; xhr.setRequestHeader('X-Site', 'a'); } });
      hls.loadSource(${JSON.stringify(source)});
      hls.attachMedia(video);
    `);
    await until(async () => Number(await page.evaluate('video.currentTime')) > 1, `${source} plays`);
  }
  const fetched = await page.evaluate(`(async () => {
    const statuses = [];
    for (const url of ${JSON.stringify([...sources, live.http('low', '.flv')])}) {
      const abort = new AbortController();
      const answer = await fetch(url, { credentials: 'include', signal: abort.signal });
      statuses.push([answer.status, answer.headers.get('date') !== null]);
      abort.abort();
    }
    return statuses;
  })()`);
  expect(fetched).toEqual([
    [200, true],
    [200, true],
    [200, true],
  ]);
  const refused = `fetch(${JSON.stringify(`${live.weir.origin}/api/v1/versions`)}, { credentials: 'include' }).then(() => 'read', () => 'refused')`;
  expect(await page.evaluate(refused)).toBe('refused');
  await page.close();
});
